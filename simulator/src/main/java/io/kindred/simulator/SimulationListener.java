package io.kindred.simulator;

import io.kindred.runtime.ObservationListener;

/**
 * An {@link ObservationListener} that may also read the states of all peers, as only a simulator
 * can.
 */
public interface SimulationListener extends ObservationListener {
  /** Receives an observation together with the states of all peers at that moment. */
  default void observed(Observed observed, GlobalView view) {
    observed(observed);
  }
}
