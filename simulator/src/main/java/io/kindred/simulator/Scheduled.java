package io.kindred.simulator;

import io.kindred.core.work.Result;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** An entry of the queue, with the computation behind it where there is one. */
record Scheduled(Key key, Pending pending, @Nullable Future<Result> computation)
    implements Comparable<Scheduled> {
  @Override
  public int compareTo(Scheduled other) {
    return key.compareTo(other.key);
  }
}
