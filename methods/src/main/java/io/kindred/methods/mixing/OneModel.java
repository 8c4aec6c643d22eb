package io.kindred.methods.mixing;

import io.kindred.core.PeerId;
import io.kindred.core.settings.Named;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Weights;
import io.kindred.methods.rounds.Memory;
import java.util.List;
import java.util.Optional;

/**
 * What a peer with one model remembers.
 *
 * @param estimate what was worked out about the neighbours' models
 */
@Named("mixing/one-model")
public record OneModel(Weights weights, Optional<Estimate> estimate) implements Memory {
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
   * @param next which is fitted now
   * @param responsibilities how far each sample belongs to each of them
   */
  public record Refit(
      List<Weights> components, int iteration, int next, List<Floats> responsibilities) {}

  OneModel with(Weights newest) {
    return new OneModel(newest, estimate);
  }

  OneModel knowing(Estimate newest) {
    return new OneModel(weights, Optional.of(newest));
  }

  /** A peer's share in the newest estimate; a model that it is not about has none. */
  double shareOf(PeerId peer) {
    return estimate.map(known -> known.shareOf(peer)).orElse(0.0);
  }
}
