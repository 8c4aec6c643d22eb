package io.kindred.simulator;

import org.jspecify.annotations.Nullable;

/** An entry of the queue, with the computation behind it where there is one. */
record Scheduled(Key key, Pending pending, Ahead.@Nullable Computation computation)
    implements Comparable<Scheduled> {
  @Override
  public int compareTo(Scheduled other) {
    return key.compareTo(other.key);
  }
}
