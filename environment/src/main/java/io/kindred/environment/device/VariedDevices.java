package io.kindred.environment.device;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;

/**
 * Devices around a typical one: speed and bandwidth are each multiplied by the exponential of a
 * normal draw, and some devices are stragglers. The server has the typical device.
 */
@Named(
    value = "varied",
    summary = "devices that differ at random from a typical one, some of them stragglers")
public record VariedDevices(
    @Setting(
            doc = "arithmetic operations a second of the typical device",
            fallback = "1.5e10",
            above = 0)
        double operationsPerSecond,
    @Setting(
            doc = "megabits a second that the typical device receives",
            fallback = "200",
            above = 0)
        double bandwidthMbps,
    @Setting(
            doc = "upload bandwidth as a share of the download bandwidth",
            fallback = "1",
            above = 0,
            max = 1)
        double uplinkShare,
    @Setting(doc = "memory in gigabytes", fallback = "4", above = 0) double memoryGb,
    @Setting(doc = "share of the time that a device is online", fallback = "1", above = 0, max = 1)
        double availability,
    @Setting(
            doc = "standard deviation of the logarithm of speed and of bandwidth",
            fallback = "0.5",
            min = 0,
            max = 5)
        double spread,
    @Setting(doc = "share of peers that are stragglers", fallback = "0", min = 0, max = 1)
        double stragglers,
    @Setting(doc = "factor by which a straggler is slower", fallback = "5", min = 1)
        double slowdown)
    implements DeviceModel {
  @Override
  public Device of(int peer, RandomStreams streams) {
    RandomStream random = streams.stream(Purpose.DEVICES, peer, 0);
    double speed = StrictMath.exp(spread * random.nextGaussian());
    double bandwidth = bandwidthMbps * StrictMath.exp(spread * random.nextGaussian());
    Device drawn =
        Device.of(
            operationsPerSecond * speed,
            memoryGb,
            bandwidth * uplinkShare,
            bandwidth,
            availability);
    return random.nextDouble() < stragglers ? drawn.slowedBy(slowdown) : drawn;
  }

  @Override
  public Device server() {
    return Device.of(
        operationsPerSecond, memoryGb, bandwidthMbps * uplinkShare, bandwidthMbps, availability);
  }
}
