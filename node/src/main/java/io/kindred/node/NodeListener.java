package io.kindred.node;

import io.kindred.core.peer.Observation;
import io.kindred.node.state.Totals;

/** Receives a node's observations, on the thread that steps the peer and in the order of events. */
@FunctionalInterface
public interface NodeListener {
  /** Ignores all observations. */
  NodeListener NONE = (secondsUp, observation, totals) -> {};

  /** Called for each observation, with the seconds since the start of this incarnation. */
  void observed(double secondsUp, Observation observation, Totals totals);
}
