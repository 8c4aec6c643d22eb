package io.kindred.environment.device;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.random.RandomStreams;

/**
 * The same device for all peers. At the default speed, 600 pictures of Fashion-MNIST pass the
 * convolutional network of SemanticDFL (section 5.1) in the second that its table 12 states.
 */
@Named(value = "alike", summary = "all peers have the same device")
public record AlikeDevices(
    @Setting(doc = "arithmetic operations a second", fallback = "1.5e10", above = 0)
        double operationsPerSecond,
    @Setting(doc = "megabits a second that a device receives", fallback = "200", above = 0)
        double bandwidthMbps,
    @Setting(
            doc = "upload bandwidth as a share of the download bandwidth",
            fallback = "1",
            above = 0,
            max = 1)
        double uplinkShare,
    @Setting(doc = "memory in gigabytes", fallback = "4", above = 0) double memoryGb,
    @Setting(doc = "share of the time that a device is online", fallback = "1", above = 0, max = 1)
        double availability)
    implements DeviceModel {
  @Override
  public Device of(int peer, RandomStreams streams) {
    return server();
  }

  @Override
  public Device server() {
    return Device.of(
        operationsPerSecond, memoryGb, bandwidthMbps * uplinkShare, bandwidthMbps, availability);
  }
}
