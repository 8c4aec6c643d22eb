package io.kindred.methods.discovery;

import io.kindred.core.record.Buildable;
import io.kindred.protocol.signature.Signature;
import io.kindred.protocol.signature.SignatureState;
import java.util.Optional;

/**
 * State of a peer's search for similar peers, and the model that other peers find.
 *
 * @param number number of the last search and of its timers
 * @param searchCount how often that search was sent
 */
@Buildable
public record PeerSearchState(
    Phase phase, OwnModel model, SignatureInfo signatureInfo, long number, int searchCount) {
  /** What a search is doing. */
  public enum Phase {
    /** Nothing: no search has begun, or the last one has ended. */
    IDLE,
    /** A ticket computes the signature or the sketch of the own model. */
    DESCRIBING,
    /** The search waits until it can be sent, or for its answer. */
    SEARCHING
  }

  /** A peer whose model other peers can find: what a shell that sees all peers compares. */
  public interface Holder {
    /** Empty for a peer that does not search. */
    Optional<PeerSearchState> searchState();
  }

  /** The signature that other peers compare with their own. */
  public Optional<Signature> signature() {
    return signatureInfo.signatureState().map(SignatureState::signature);
  }

  public PeerSearchState with(OwnModel other) {
    return PeerSearchStateBuilder.from(this).model(other).build();
  }

  PeerSearchState with(SignatureInfo other) {
    return PeerSearchStateBuilder.from(this).signatureInfo(other).build();
  }

  PeerSearchState inPhase(Phase next) {
    return PeerSearchStateBuilder.from(this).phase(next).build();
  }

  /** Whether the search of this number waits for its answer. */
  boolean awaits(long answered) {
    return phase == Phase.SEARCHING && number == answered;
  }
}
