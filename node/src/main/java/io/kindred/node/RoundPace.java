package io.kindred.node;

import io.kindred.core.peer.Ticks;

/**
 * Delays the work of a round that follows a short one. Nodes with small data finish a round within
 * milliseconds; with a least time for a round, nodes that join find the others still learning.
 */
final class RoundPace {
  private final long leastTicks;
  private long roundBegan;

  /**
   * @param leastSeconds least time from the start of a round to that of the next one; 0 is no limit
   */
  RoundPace(double leastSeconds) {
    leastTicks = Ticks.ofSeconds(leastSeconds);
  }

  /** The first work of a run begins its first round. */
  void started(long tick) {
    roundBegan = tick;
  }

  /** The next round begins at once, or as soon as the finished one has had its time. */
  void roundFinished(long tick) {
    roundBegan = Math.max(tick, roundBegan + leastTicks);
  }

  /** Ticks that work waits until its round begins. */
  long delay(long tick) {
    return Math.max(0, roundBegan - tick);
  }
}
