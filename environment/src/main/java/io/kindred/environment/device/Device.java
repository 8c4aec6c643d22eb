package io.kindred.environment.device;

import io.kindred.core.peer.Ticks;

/**
 * The device that a peer runs on.
 *
 * @param operationsPerSecond arithmetic operations a second
 * @param memoryBytes size of the memory
 * @param uplink bytes a second that it can send
 * @param downlink bytes a second that it can receive
 * @param availability share of the time that it is online, between 0 and 1
 */
public record Device(
    double operationsPerSecond,
    double memoryBytes,
    double uplink,
    double downlink,
    double availability) {
  private static final double BYTES_PER_MEGABIT = 1e6 / 8;
  private static final double BYTES_PER_GIGABYTE = 1e9;

  /** From gigabytes and megabits a second. */
  static Device of(
      double operationsPerSecond,
      double memoryGb,
      double uplinkMbps,
      double downlinkMbps,
      double availability) {
    return new Device(
        operationsPerSecond,
        memoryGb * BYTES_PER_GIGABYTE,
        uplinkMbps * BYTES_PER_MEGABIT,
        downlinkMbps * BYTES_PER_MEGABIT,
        availability);
  }

  /** The same device with other bandwidths, in megabits a second. */
  public Device withBandwidth(double uplinkMbps, double downlinkMbps) {
    return new Device(
        operationsPerSecond,
        memoryBytes,
        uplinkMbps * BYTES_PER_MEGABIT,
        downlinkMbps * BYTES_PER_MEGABIT,
        availability);
  }

  /** The device slowed down by a factor, in computing and on its links. */
  Device slowedBy(double factor) {
    return new Device(
        operationsPerSecond / factor,
        memoryBytes,
        uplink / factor,
        downlink / factor,
        availability);
  }

  /** Work takes at least one tick, or events could cycle without time passing. */
  public long computeTicks(double operations) {
    return Math.max(1, Ticks.ofSeconds(operations / operationsPerSecond));
  }

  /**
   * Bytes a second that the device can send to others, averaged over the time that it is offline.
   */
  public double servingRate() {
    return uplink * availability;
  }
}
