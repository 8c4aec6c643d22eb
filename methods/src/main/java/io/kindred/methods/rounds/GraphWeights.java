package io.kindred.methods.rounds;

import io.kindred.core.peer.Observation.Weighting;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Weights;

/** How a peer on a graph weights its own model and those of its neighbours. */
public enum GraphWeights {
  /** By the degrees of both peers, so that the mean over all peers stays the same. */
  METROPOLIS,
  /** By the numbers of samples that the models were trained on. */
  SAMPLES;

  /** The same for observers. */
  public Weighting weighting() {
    return switch (this) {
      case METROPOLIS -> Weighting.DEGREES;
      case SAMPLES -> Weighting.SAMPLES;
    };
  }

  /** The mixture of a peer's own model with the received models of a slot. */
  public Mixture mixture(Weights own, int slot, RoundUpdates updates) {
    return switch (this) {
      case METROPOLIS -> Mixtures.metropolis(own, slot, updates);
      case SAMPLES -> Mixtures.bySamples(own, slot, updates);
    };
  }
}
