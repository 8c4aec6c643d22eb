package io.kindred.simulator;

/** A {@link Watcher} that may also look at the states of all peers, as only a simulator can. */
public interface SimulationListener extends Watcher {
  /** Receives an observation together with the states of all peers at that moment. */
  default void observed(Observed observed, Everybody everybody) {
    observed(observed);
  }
}
