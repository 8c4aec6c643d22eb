package io.kindred.simulator;

import io.kindred.core.Observation;
import io.kindred.core.PeerId;

/**
 * Whoever listens to a run. It is called by the thread that steps peers, in the order of events.
 */
public interface Watcher {
  void observed(Observed observed);

  /** The same, for those who judge it by what everybody is like at that moment. */
  default void observed(Observed observed, Everybody everybody) {
    observed(observed);
  }

  /**
   * Something a peer let know, with what it had sent and received by then. What a server says of
   * everyone is told once for each peer.
   *
   * @param pulled weight vectors received so far
   */
  record Observed(
      long tick,
      PeerId peer,
      Observation observation,
      long sentBytes,
      long receivedBytes,
      long pulled) {}
}
