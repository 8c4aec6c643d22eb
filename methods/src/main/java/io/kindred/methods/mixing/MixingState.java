package io.kindred.methods.mixing;

import io.kindred.core.config.Named;
import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Weights;
import io.kindred.methods.rounds.LocalState;
import java.util.List;
import java.util.Optional;

/**
 * State of a peer with one model, or with a second one that it sends.
 *
 * @param estimate the estimated shares of the neighbours' models
 * @param lone the model that the peer sends and never mixes; empty if it sends the one that it
 *     mixes
 */
@Named("mixing/one-model")
public record MixingState(Weights weights, Optional<Estimate> estimate, Optional<LoneModel> lone)
    implements LocalState {
  /**
   * A model that is trained on the own samples only.
   *
   * @param round the last round in which it was trained
   */
  public record LoneModel(Weights weights, int round) {}

  /**
   * Shares of the neighbours' models in the mixture.
   *
   * @param round round of the estimate
   * @param peers neighbours that have a share
   * @param shares one for each of the peers
   * @param converged whether the estimate stopped because the shares did not change any more
   * @param refit intermediate results of an unfinished estimate
   */
  @Buildable
  public record Estimate(
      int round,
      List<PeerId> peers,
      List<Double> shares,
      boolean converged,
      Optional<Refit> refit) {
    double shareOf(PeerId peer) {
      int place = peers.indexOf(peer);
      return place < 0 ? 0 : shares.get(place);
    }
  }

  /**
   * Copies of the neighbours' models that are fitted to the own data, one after the other.
   *
   * @param iteration how many times all components were fitted
   * @param nextComponent index of the component that is fitted now
   * @param responsibilities of each component for each sample
   */
  @Buildable
  public record Refit(
      List<Weights> components, int iteration, int nextComponent, List<Floats> responsibilities) {}

  MixingState with(Weights newest) {
    return new MixingState(newest, estimate, lone);
  }

  MixingState withEstimate(Estimate newest) {
    return new MixingState(weights, Optional.of(newest), lone);
  }

  MixingState withLone(Weights newest, int round) {
    return new MixingState(weights, estimate, Optional.of(new LoneModel(newest, round)));
  }

  /** The model that other peers get. */
  Weights sent() {
    return lone.map(LoneModel::weights).orElse(weights);
  }

  /** A peer's share in the newest estimate; zero for a peer without one. */
  double shareOf(PeerId peer) {
    return estimate.map(known -> known.shareOf(peer)).orElse(0.0);
  }
}
