package io.kindred.environment.device;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import java.util.List;

/**
 * A few kinds of devices, each with its share of the peers, as in the testbed of SemanticDFL
 * (section 5.1). The server has the first kind.
 */
@Named(value = "classes", summary = "several classes of devices, each with its share of the peers")
public record ClassedDevices(
    @Setting(
            doc = "the classes of devices",
            fallback =
                "[{share: 0.25, operationsPerSecond: 1e11, memoryGb: 16},"
                    + " {share: 0.25, operationsPerSecond: 3e10, memoryGb: 16},"
                    + " {share: 0.25, operationsPerSecond: 3e10, memoryGb: 10},"
                    + " {share: 0.25, operationsPerSecond: 1.5e10, memoryGb: 4}]")
        List<Kind> kinds)
    implements DeviceModel {
  /** One kind of device. */
  public record Kind(
      @Setting(doc = "share of the peers, relative to the shares of the other classes", above = 0)
          double share,
      @Setting(doc = "arithmetic operations a second", above = 0) double operationsPerSecond,
      @Setting(doc = "megabits a second that a device sends", fallback = "200", above = 0)
          double uplinkMbps,
      @Setting(doc = "megabits a second that a device receives", fallback = "200", above = 0)
          double downlinkMbps,
      @Setting(doc = "memory in gigabytes", fallback = "4", above = 0) double memoryGb,
      @Setting(
              doc = "share of the time that a device is online",
              fallback = "1",
              above = 0,
              max = 1)
          double availability) {
    Device device() {
      return Device.of(operationsPerSecond, memoryGb, uplinkMbps, downlinkMbps, availability);
    }
  }

  public ClassedDevices {
    kinds = List.copyOf(kinds);
    if (kinds.isEmpty()) {
      throw new SettingException(
          "kinds", "the list of device classes is empty", "add at least one class");
    }
  }

  @Override
  public Device of(int peer, RandomStreams streams) {
    double total = kinds.stream().mapToDouble(Kind::share).sum();
    double left = total * streams.stream(Purpose.DEVICES, peer, 0).nextDouble();
    for (Kind kind : kinds) {
      left -= kind.share();
      if (left < 0) {
        return kind.device();
      }
    }
    return kinds.getLast().device();
  }

  @Override
  public Device server() {
    return kinds.getFirst().device();
  }
}
