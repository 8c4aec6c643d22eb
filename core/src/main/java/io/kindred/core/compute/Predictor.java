package io.kindred.core.compute;

import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Weights;

/** A model as a peer uses it for prediction; every evaluation evaluates a predictor. */
public sealed interface Predictor {
  record Single(Weights weights) implements Predictor {}

  /**
   * Class probabilities averaged with the coefficients of the parts; an ensemble, not a mixture of
   * weights.
   */
  record Ensemble(Mixture members) implements Predictor {}

  /**
   * The weights that training gives when each evaluated peer runs it on its own data (fine-tuning).
   */
  record Adapted(Ticket.Train adaptation) implements Predictor {}
}
