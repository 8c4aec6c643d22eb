package io.kindred.simulator.state;

import io.kindred.core.peer.Ticks;
import io.kindred.core.random.Purpose;
import io.kindred.environment.SimulatedEnvironment;
import io.kindred.environment.device.Device;
import io.kindred.environment.link.Link;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Computes when bytes arrive. Models queue at the sender's uplink and at the receiver's downlink,
 * first come, first served. Control messages do not queue, like the streams of one connection, but
 * take their share of the bandwidth. Messages between two segments take the relay.
 */
public final class BandwidthModel {
  /** When each uplink, each downlink and the relay are free again. */
  public record Snapshot(List<Long> uplinks, List<Long> downlinks, long relay) {
    static Snapshot allFree(int participants) {
      List<Long> free = Collections.nCopies(participants, 0L);
      return new Snapshot(free, free, 0);
    }
  }

  private final SimulatedEnvironment environment;
  private final double[] uplinkRates;
  private final double[] downlinkRates;
  private final long[] uplinkFree;
  private final long[] downlinkFree;
  private long relayFree;

  public BandwidthModel(SimulatedEnvironment environment, int participants) {
    this.environment = environment;
    uplinkRates = new double[participants];
    downlinkRates = new double[participants];
    uplinkFree = new long[participants];
    downlinkFree = new long[participants];
    for (int i = 0; i < participants; i++) {
      Device device = environment.device(i);
      uplinkRates[i] = device.uplink();
      downlinkRates[i] = device.downlink();
    }
  }

  public BandwidthModel(SimulatedEnvironment environment, int participants, Snapshot snapshot) {
    this(environment, participants);
    for (int i = 0; i < participants; i++) {
      uplinkFree[i] = snapshot.uplinks().get(i);
      downlinkFree[i] = snapshot.downlinks().get(i);
    }
    relayFree = snapshot.relay();
  }

  public Snapshot snapshot() {
    return new Snapshot(
        Arrays.stream(uplinkFree).boxed().toList(),
        Arrays.stream(downlinkFree).boxed().toList(),
        relayFree);
  }

  /** When the first and the last byte of a model reach the next hop. */
  public record ArrivalTimes(long firstByteTick, long lastByteTick) {}

  public boolean viaRelay(Transfer transfer) {
    return environment
        .network()
        .segments()
        .needRelay(transfer.from(), transfer.to(), environment.graph().peers());
  }

  /** When a message without a model arrives. */
  public long controlArrival(Transfer transfer, Link link, long now) {
    double stretch = jitterFactor(transfer);
    long up = ticks(transfer.bytes(), uplinkRate(transfer, link), stretch);
    long down = ticks(transfer.bytes(), downlinkRates[transfer.to()], stretch);
    uplinkFree[transfer.from()] = Math.max(now, uplinkFree[transfer.from()]) + up;
    downlinkFree[transfer.to()] = Math.max(now, downlinkFree[transfer.to()]) + down;
    long pathTicks = link.latencyTicks() + up + down;
    return now
        + (viaRelay(transfer) ? pathTicks + link.latencyTicks() + relayTicks(transfer) : pathTicks);
  }

  /** A model leaves when the uplink is free. */
  public ArrivalTimes departFromSender(Transfer transfer, Link link, long now) {
    double stretch = jitterFactor(transfer);
    long start = Math.max(now, uplinkFree[transfer.from()]);
    uplinkFree[transfer.from()] =
        start + ticks(transfer.bytes(), uplinkRates[transfer.from()], stretch);
    long sending = ticks(transfer.bytes(), uplinkRate(transfer, link), stretch);
    return new ArrivalTimes(start + link.latencyTicks(), start + sending + link.latencyTicks());
  }

  /** A model whose first byte is at the relay is forwarded when the relay is free. */
  public ArrivalTimes relay(Transfer transfer, Link link, long now, long lastByteTick) {
    long start = Math.max(now, relayFree);
    relayFree = start + relayTicks(transfer);
    return new ArrivalTimes(
        start + link.latencyTicks(), Math.max(relayFree, lastByteTick) + link.latencyTicks());
  }

  /**
   * A model whose first byte is at the receiver arrives when it has passed the downlink completely.
   */
  public long arriveAtReceiver(Transfer transfer, long now, long lastByteTick) {
    long start = Math.max(now, downlinkFree[transfer.to()]);
    downlinkFree[transfer.to()] =
        start + ticks(transfer.bytes(), downlinkRates[transfer.to()], jitterFactor(transfer));
    return Math.max(lastByteTick, downlinkFree[transfer.to()]);
  }

  private double uplinkRate(Transfer transfer, Link link) {
    return Math.min(uplinkRates[transfer.from()], link.bytesPerSecond());
  }

  private long relayTicks(Transfer transfer) {
    return ticks(transfer.bytes(), environment.network().segments().relayBytesPerSecond(), 1);
  }

  private double jitterFactor(Transfer transfer) {
    double jitter = environment.network().jitter();
    return jitter == 0
        ? 1
        : 1
            + jitter
                * environment.streams().stream(Purpose.JITTER, transfer.from(), transfer.number())
                    .nextDouble();
  }

  private static long ticks(long bytes, double rate, double stretch) {
    return Ticks.ofSeconds(bytes / rate * stretch);
  }
}
