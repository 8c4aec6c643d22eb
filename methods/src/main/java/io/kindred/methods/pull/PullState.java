package io.kindred.methods.pull;

import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Weights;
import io.kindred.methods.discovery.OwnModel;
import io.kindred.methods.discovery.PeerSearchState;
import io.kindred.protocol.overlay.Candidate;
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
    PeerSearchState search,
    PullAttempt pullAttempt,
    List<DeferredRequest> deferred,
    List<Candidate> outstanding,
    List<ReceivedModel> lateModels,
    List<Long> latencies)
    implements PeerSearchState.Holder {
  /** What a peer is doing. */
  public enum Phase {
    TRAINING,
    SEARCHING,
    PULLING,
    SCORING,
    MIXING,
    DONE
  }

  /**
   * The models that are pulled after one search; the timer has the number of the search.
   *
   * @param requestTick when models were requested
   */
  public record PullAttempt(
      long requestTick, List<Candidate> candidates, List<ReceivedModel> pulled) {
    static final PullAttempt NONE = new PullAttempt(0, List.of(), List.of());

    public PullAttempt {
      candidates = List.copyOf(candidates);
      pulled = List.copyOf(pulled);
    }

    PullAttempt withPulled(List<ReceivedModel> models) {
      return new PullAttempt(requestTick, candidates, models);
    }
  }

  /** A peer that waits for the model of a round. */
  public record DeferredRequest(PeerId from, int round) {}

  /**
   * The model of another peer, its round, and the similarity of its owner.
   *
   * @param version the version that the owner named, as in {@link OwnModel}
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

  @Override
  public Optional<PeerSearchState> searchState() {
    return Optional.of(search);
  }

  /** The peer's own model. */
  OwnModel model() {
    return search.model();
  }

  PullState with(PeerSearchState other) {
    return PullStateBuilder.from(this).search(other).build();
  }

  PullState inPhase(Phase next) {
    return PullStateBuilder.from(this).phase(next).build();
  }

  PullState atRound(int next, Weights from) {
    return PullStateBuilder.from(this)
        .round(next)
        .phase(Phase.TRAINING)
        .search(search.with(search.model().beginningWith(from)))
        .pullAttempt(PullAttempt.NONE)
        .build();
  }
}
