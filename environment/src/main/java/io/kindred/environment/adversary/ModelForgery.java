package io.kindred.environment.adversary;

import io.kindred.core.weights.Weights;

/** Makes the model that a hostile peer sends from the one that its honest machines would send. */
@FunctionalInterface
public interface ModelForgery {
  /**
   * The model to send.
   *
   * @param first the first model that the peer sent, before forgery
   * @param honest the model that the honest machines send now
   */
  Weights forged(Weights first, Weights honest);
}
