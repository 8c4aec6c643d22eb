package io.kindred.methods.pull;

import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.signature.Signature;
import io.kindred.protocol.signature.SignatureState;
import java.util.List;
import java.util.Optional;

/**
 * State of a peer that pulls models.
 *
 * @param deferred requests for a round that is not trained yet
 * @param outstanding candidates that have not answered yet, with the similarity from the search
 * @param lateModels models that arrived after their round had ended
 * @param latencies how long the last models took to arrive
 */
@Buildable
public record PullState(
    int round,
    Phase phase,
    Models models,
    SignatureInfo signatureInfo,
    PullAttempt pullAttempt,
    List<DeferredRequest> deferred,
    List<Candidate> outstanding,
    List<ReceivedModel> lateModels,
    List<Long> latencies) {
  /** What a peer is doing. */
  public enum Phase {
    TRAINING,
    SIGNING,
    SEARCHING,
    PULLING,
    SCORING,
    MIXING,
    DONE
  }

  /**
   * The peer's own models.
   *
   * @param origin the point that whole vectors are measured from; empty if it is zero
   * @param from the model that the round began with
   * @param trained the model after the last local training, which others can pull
   * @param round round of {@code trained}, 0 before the first training
   * @param version tick at which {@code trained} was there: two trainings of one round, before and
   *     after a loss of the peer's state, have two versions
   */
  @Buildable
  public record Models(
      Optional<Weights> origin, Weights from, Weights trained, int round, long version) {
    Models trained(Weights weights, int inRound, long tick) {
      return ModelsBuilder.from(this).trained(weights).round(inRound).version(tick).build();
    }
  }

  /**
   * The peer's signature and its number of entries.
   *
   * @param signedRound round of the model that the peer last described by a signature or a sketch,
   *     or that it trained where models are compared without either
   * @param requiredEntries number of entries that the signature needs
   * @param agreedEntries number of entries that the network agreed on
   * @param searchReady whether a search can be sent
   */
  @Buildable
  public record SignatureInfo(
      Optional<SignatureState> signatureState,
      int signedRound,
      int requiredEntries,
      Optional<Integer> agreedEntries,
      boolean searchReady) {}

  /**
   * One search and the models pulled after it.
   *
   * @param number number of the search and of its timers
   * @param searchCount how often the search was sent
   * @param requestTick when models were requested
   */
  @Buildable
  public record PullAttempt(
      long number,
      int searchCount,
      long requestTick,
      List<Candidate> candidates,
      List<ReceivedModel> pulled) {
    static final PullAttempt NONE = new PullAttempt(0, 0, 0, List.of(), List.of());

    public PullAttempt {
      candidates = List.copyOf(candidates);
      pulled = List.copyOf(pulled);
    }
  }

  /** A peer that waits for the model of a round. */
  public record DeferredRequest(PeerId from, int round) {}

  /**
   * The model of another peer, its round, and the similarity of its owner.
   *
   * @param version the version that the owner named, as in {@link Models}
   * @param samples number of training samples that the owner reports
   */
  @Buildable
  public record ReceivedModel(
      PeerId from, int round, long version, Weights weights, int samples, double similarity) {}

  public PullState {
    deferred = List.copyOf(deferred);
    outstanding = List.copyOf(outstanding);
    lateModels = List.copyOf(lateModels);
    latencies = List.copyOf(latencies);
  }

  /** The signature that other peers compare with their own. */
  public Optional<Signature> signature() {
    return signatureInfo.signatureState().map(SignatureState::signature);
  }

  PullState inPhase(Phase next) {
    return PullStateBuilder.from(this).phase(next).build();
  }

  PullState atRound(int next, Weights from) {
    return PullStateBuilder.from(this)
        .round(next)
        .phase(Phase.TRAINING)
        .models(ModelsBuilder.from(models).from(from).build())
        .pullAttempt(PullAttempt.NONE)
        .build();
  }
}
