package io.kindred.environment.device;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;

/**
 * Speeds drawn from a range, on request anew in every environment round, like the computing
 * resources of hierarchical learning (seed 002, section 5.2, table 4). The server has the greatest
 * speed.
 */
@Named(value = "ranged", summary = "speeds drawn from a range, redrawn in every environment round")
public record RangedDevices(
    @Setting(
            doc = "lowest speed, in arithmetic operations a second",
            fallback = "0.75e10",
            above = 0)
        double leastOperationsPerSecond,
    @Setting(
            doc = "highest speed, in arithmetic operations a second",
            fallback = "2.25e10",
            above = 0)
        double mostOperationsPerSecond,
    @Setting(
            doc = "megabits a second that a device receives, and that it sends",
            fallback = "200",
            above = 0)
        double bandwidthMbps,
    @Setting(doc = "memory in gigabytes", fallback = "4", above = 0) double memoryGb,
    @Setting(doc = "whether speeds are redrawn in every environment round", fallback = "true")
        boolean redraw)
    implements DeviceModel {
  public RangedDevices {
    if (leastOperationsPerSecond > mostOperationsPerSecond) {
      throw new SettingException(
          "leastOperationsPerSecond",
          "the lowest speed is above the highest",
          "choose at most " + mostOperationsPerSecond);
    }
  }

  /** The device has the greatest speed; {@link #speed} draws the share of it that a round gets. */
  @Override
  public Device of(int peer, RandomStreams streams) {
    return server();
  }

  @Override
  public Device server() {
    return Device.of(mostOperationsPerSecond, memoryGb, bandwidthMbps, bandwidthMbps, 1);
  }

  @Override
  public double speed(int peer, long round, RandomStreams streams) {
    return streams.stream(Purpose.DEVICES, peer, redraw ? 1 + round : 0)
            .uniform(leastOperationsPerSecond, mostOperationsPerSecond)
        / mostOperationsPerSecond;
  }

  @Override
  public boolean varyOverTime() {
    return redraw;
  }
}
