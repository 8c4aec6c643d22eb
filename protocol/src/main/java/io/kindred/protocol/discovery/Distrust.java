package io.kindred.protocol.discovery;

import io.kindred.core.peer.PeerId;

/**
 * A peer that no longer counts for a while.
 *
 * @param reason why it does not count
 * @param count how often this happened; the time doubles with each
 * @param until the first round in which the peer counts again
 */
public record Distrust(PeerId peer, Reason reason, int count, int until) {
  /** Why a peer does not count. */
  public enum Reason {
    /** A message to it failed. Descriptors that its owner confirmed before then are ignored. */
    UNREACHABLE,
    /**
     * A relayed sketch of it was wrong. The owner or a relay lied, so the owner is not accused, but
     * relayed sketches of it are ignored.
     */
    FALSE_RELAY,
    /** It sent a false sketch of its own model: an offence. It is neither pulled nor listed. */
    FALSE_CLAIM
  }
}
