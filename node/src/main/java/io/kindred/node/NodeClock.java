package io.kindred.node;

import io.kindred.core.Ticks;

/**
 * Ticks since 1970, as this machine sees it at its start, and from then on by a clock that never
 * jumps. A node that comes back goes on after the last tick that it saved, whatever the wall clock
 * did meanwhile.
 */
final class NodeClock {
  private static final long NANOS_PER_TICK = 1_000_000_000 / Ticks.PER_SECOND;

  private final long firstTick;
  private final long firstNano = System.nanoTime();

  NodeClock(long afterTick) {
    long wall = System.currentTimeMillis() * (Ticks.PER_SECOND / 1_000);
    firstTick = Math.max(wall, afterTick + 1);
  }

  long tick() {
    return firstTick + (System.nanoTime() - firstNano) / NANOS_PER_TICK;
  }

  double secondsUp() {
    return Ticks.toSeconds(tick() - firstTick);
  }
}
