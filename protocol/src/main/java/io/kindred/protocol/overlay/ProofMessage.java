package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;

/**
 * A message with the election proof of one peer, which need not be its sender. A node sends that
 * peer's certificate along, because the certificate states the key that the proof is checked
 * against.
 */
public interface ProofMessage {
  /** The peer that drew the proof. */
  PeerId prover(PeerId sender);
}
