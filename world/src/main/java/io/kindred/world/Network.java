package io.kindred.world;

import io.kindred.core.Ticks;
import io.kindred.core.settings.Setting;

/**
 * How long things take in virtual time: the same latency for every message, the same speed for
 * every device.
 */
public record Network(
    @Setting(doc = "seconds that a message takes, whatever its size", fallback = "0.02", above = 0)
        double latencySeconds,
    @Setting(doc = "arithmetic operations a device does in a second", fallback = "1e9", above = 0)
        double operationsPerSecond) {
  /** Nothing arrives at the tick it was sent, or events could go round in no time. */
  public long latencyTicks() {
    return Math.max(1, Ticks.ofSeconds(latencySeconds));
  }

  public long computeTicks(long operations) {
    return Math.max(1, Ticks.ofSeconds(operations / operationsPerSecond));
  }
}
