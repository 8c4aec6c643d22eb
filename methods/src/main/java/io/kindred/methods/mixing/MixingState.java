package io.kindred.methods.mixing;

import io.kindred.core.config.Named;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Weights;
import io.kindred.methods.rounds.LocalState;
import java.util.List;
import java.util.Optional;

/**
 * What a peer with one model remembers.
 *
 * @param estimate what was worked out about the neighbours' models
 */
@Named("mixing/one-model")
public record MixingState(Weights weights, Optional<Estimate> estimate) implements LocalState {
  /**
   * What is known about how much of whose model to take.
   *
   * @param round in which it was worked out
   * @param peers whom it is about
   * @param shares one for each of them
   * @param refit where it is being worked out with components of its own
   */
  public record Estimate(
      int round, List<PeerId> peers, List<Double> shares, Optional<Refit> refit) {
    double shareOf(PeerId peer) {
      int place = peers.indexOf(peer);
      return place < 0 ? 0 : shares.get(place);
    }
  }

  /**
   * Copies of the neighbours' models that are fitted to the own data, one after the other.
   *
   * @param iteration how many times all of them were fitted
   * @param nextComponent which is fitted now
   * @param responsibilities how far each sample belongs to each of them
   */
  public record Refit(
      List<Weights> components, int iteration, int nextComponent, List<Floats> responsibilities) {}

  MixingState with(Weights newest) {
    return new MixingState(newest, estimate);
  }

  MixingState withEstimate(Estimate newest) {
    return new MixingState(weights, Optional.of(newest));
  }

  /** A peer's share in the newest estimate; a model that it is not about has none. */
  double shareOf(PeerId peer) {
    return estimate.map(known -> known.shareOf(peer)).orElse(0.0);
  }
}
