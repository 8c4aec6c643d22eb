package io.kindred.methods.discovery;

import io.kindred.core.peer.Effect;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerLayer;
import io.kindred.methods.contract.PeerContext;
import io.kindred.protocol.discovery.SimilarityDraw;
import io.kindred.protocol.discovery.SketchRule;
import io.kindred.protocol.signature.Signature;
import io.kindred.protocol.signature.SignatureRule;
import java.util.Optional;

/**
 * How a peer finds other peers. A method asks for candidates by {@link #ask}; a machine below the
 * method or the shell answers by a local message that repeats the number of the request.
 */
public interface PeerDiscovery {
  /**
   * A request for candidates.
   *
   * @param round the round whose models will be pulled
   * @param immediate whether the answer must not wait for peers that have not reached the round
   * @param draw whether the most similar peers are taken, or peers are drawn by similarity
   */
  record Request(long number, int wanted, int round, boolean immediate, SimilarityDraw draw) {
    /** A request for the most similar peers. */
    public Request(long number, int wanted, int round, boolean immediate) {
      this(number, wanted, round, immediate, SimilarityDraw.NEAREST);
    }
  }

  /** The machine that finds peers, below the method; empty if the shell finds them. */
  default Optional<PeerLayer<?>> layer(PeerContext context) {
    return Optional.empty();
  }

  /** Asks for the most similar peers. */
  Effect ask(Request request);

  /**
   * How peers sign their models. Empty if no signature exists: the models are then compared as
   * wholes after they have been pulled.
   */
  default Optional<SignatureSettings> signing() {
    return Optional.empty();
  }

  /** How a peer sketches its own model for others; empty if no other peer needs a sketch. */
  default Optional<SketchRule> sketching() {
    return Optional.empty();
  }

  /** How a peer sketches the models that it pulled; empty if no machine needs these sketches. */
  default Optional<SketchRule> sketchingOfPulled() {
    return Optional.empty();
  }

  /** Whether the similarity of a candidate estimates the cosine of the changes of whole models. */
  default boolean estimatesCosines() {
    return signing()
        .map(signing -> signing.signatures().of() == SignatureRule.Subject.DELTA)
        .or(() -> sketching().map(rule -> rule.of() == SketchRule.Subject.CHANGE))
        .orElse(false);
  }

  /** Tells the machine below about a new signature of the own model, where it needs it. */
  default Optional<Effect> signed(Signature signature, int requiredEntries) {
    return Optional.empty();
  }

  /** Tells the machine below that a peer could not be reached, where it needs it. */
  default Optional<Effect> unreachable(PeerId peer) {
    return Optional.empty();
  }

  /** Whether the answer is drawn as the request asks. */
  default boolean draws() {
    return false;
  }

  /** Whether a request is answered from the start; otherwise the machine below reports it. */
  default boolean isReadyAtStart() {
    return true;
  }

  /** Whether the answer arrives in the same step as the request, so that it needs no timeout. */
  default boolean answersAtOnce() {
    return false;
  }

  /** Whether only a shell that sees all peers can answer: a simulator, never a node. */
  default boolean needsGlobalView() {
    return false;
  }

  /** Whether the machine below keeps running after the last round. */
  default boolean continuesAfterLastRound() {
    return false;
  }
}
