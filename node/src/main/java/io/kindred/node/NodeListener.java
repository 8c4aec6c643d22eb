package io.kindred.node;

import io.kindred.core.peer.Observation;
import io.kindred.node.state.Totals;

/** Whoever listens to a node; called by the thread that steps the peer, in the order of events. */
@FunctionalInterface
public interface NodeListener {
  /** Hears nothing. */
  NodeListener NONE = (secondsUp, observation, totals) -> {};

  /** Something the peer let know, so long after the start of this life. */
  void observed(double secondsUp, Observation observation, Totals totals);
}
