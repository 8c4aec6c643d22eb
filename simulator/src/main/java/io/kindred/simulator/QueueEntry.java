package io.kindred.simulator;

import io.kindred.simulator.state.EventKey;
import io.kindred.simulator.state.QueuedEvent;
import org.jspecify.annotations.Nullable;

/** An entry of the event queue, with the computation behind it where there is one. */
record QueueEntry(
    EventKey key, QueuedEvent event, ComputeScheduler.@Nullable Computation computation)
    implements Comparable<QueueEntry> {
  @Override
  public int compareTo(QueueEntry other) {
    return key.compareTo(other.key);
  }
}
