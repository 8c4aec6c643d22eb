package io.kindred.node;

import io.kindred.core.peer.Ticks;
import java.util.function.LongSupplier;

/**
 * Ticks since 1970. The wall clock is read once, at the start of the node; from then on a monotonic
 * clock is used. A restarted node continues after the last tick that it saved, whatever the wall
 * clock did meanwhile.
 */
final class NodeClock {
  private static final long NANOS_PER_TICK = 1_000_000_000 / Ticks.PER_SECOND;

  private final long firstTick;
  private final LongSupplier nanos;
  private final long firstNano;

  NodeClock(long afterTick) {
    this(afterTick, System.currentTimeMillis(), System::nanoTime);
  }

  NodeClock(long afterTick, long wallMillis, LongSupplier nanos) {
    this.nanos = nanos;
    firstNano = nanos.getAsLong();
    firstTick = Math.max(wallMillis * (Ticks.PER_SECOND / 1_000), afterTick + 1);
  }

  long tick() {
    return firstTick + (nanos.getAsLong() - firstNano) / NANOS_PER_TICK;
  }

  double secondsUp() {
    return Ticks.toSeconds(tick() - firstTick);
  }
}
