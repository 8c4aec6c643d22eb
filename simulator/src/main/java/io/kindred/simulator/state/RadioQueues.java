package io.kindred.simulator.state;

import io.kindred.core.record.Buildable;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The messages that wait for radio transmission, for each sender in the order of transmission. */
public final class RadioQueues {
  /**
   * A message of which a part is still to be transmitted.
   *
   * @param delay by how much a fault delays the arrival, beside the transmission
   * @param deliveredBytes bytes that the receiver has decoded, from the start of the message
   * @param blockBytes bytes of the block that the receiver could not decode yet; zero before the
   *     first try
   * @param airTicks how long a transmission of that block takes
   * @param neededSinr ratio of signal to interference and noise from which on it is decoded
   * @param failures how often that block has failed
   * @param collectedSinr the sum of its ratios of signal to interference and noise
   */
  @Buildable
  public record Waiting(
      Transfer transfer,
      long delay,
      long corruptionSeed,
      long deliveredBytes,
      long blockBytes,
      long airTicks,
      double neededSinr,
      int failures,
      double collectedSinr) {
    public static Waiting of(Transfer transfer, long delay, long corruptionSeed) {
      return new Waiting(transfer, delay, corruptionSeed, 0, 0, 0, 0, 0, 0);
    }

    public long remainingBytes() {
      return transfer.bytes() - deliveredBytes;
    }

    /** The message with its next block, at a rate that needs this ratio. */
    public Waiting cut(long bytes, long ticks, double sinr) {
      return WaitingBuilder.from(this).blockBytes(bytes).airTicks(ticks).neededSinr(sinr).build();
    }

    public Waiting failed(double sinr) {
      return WaitingBuilder.from(this).failures(failures + 1).collectedSinr(sinr).build();
    }

    public Waiting decoded() {
      return new Waiting(
          transfer, delay, corruptionSeed, deliveredBytes + blockBytes, 0, 0, 0, 0, 0);
    }
  }

  /**
   * All queues that are not empty.
   *
   * @param margins by which senders reduce the ratio that they expect at a receiver, by the numbers
   *     of both
   * @param scheduled whether an event for the next block is queued
   */
  public record Snapshot(
      SortedMap<Integer, List<Waiting>> queues,
      SortedMap<Long, Double> margins,
      boolean scheduled) {
    public static final Snapshot NONE = new Snapshot(new TreeMap<>(), new TreeMap<>(), false);
  }

  private final SortedMap<Integer, List<Waiting>> queues = new TreeMap<>();
  private final SortedMap<Long, Double> margins;
  private boolean scheduled;

  public RadioQueues(Snapshot snapshot) {
    snapshot.queues().forEach((sender, waiting) -> queues.put(sender, new ArrayList<>(waiting)));
    margins = new TreeMap<>(snapshot.margins());
    scheduled = snapshot.scheduled();
  }

  /** By how much a sender reduces the ratio that it expects at a receiver. */
  public double margin(int from, int to) {
    return margins.getOrDefault(pair(from, to), 1.0);
  }

  public void setMargin(int from, int to, double margin) {
    margins.put(pair(from, to), margin);
  }

  private static long pair(int from, int to) {
    return (long) from << 32 | to;
  }

  /** Queues a message; one without a model goes before the models that wait. */
  public void add(Waiting waiting) {
    List<Waiting> queue =
        queues.computeIfAbsent(waiting.transfer().from(), unseen -> new ArrayList<>());
    int at = queue.size();
    while (waiting.transfer().modelBytes() == 0
        && at > 0
        && queue.get(at - 1).transfer().modelBytes() > 0) {
      at--;
    }
    queue.add(at, waiting);
  }

  public boolean isEmpty() {
    return queues.isEmpty();
  }

  /** The senders with a message to transmit. */
  public List<Integer> senders() {
    return List.copyOf(queues.keySet());
  }

  /** A copy of a sender's messages; empty if none waits. */
  public List<Waiting> of(int sender) {
    return List.copyOf(queues.getOrDefault(sender, List.of()));
  }

  /** Replaces a sender's messages. */
  public void replace(int sender, List<Waiting> waiting) {
    if (waiting.isEmpty()) {
      queues.remove(sender);
    } else {
      queues.put(sender, new ArrayList<>(waiting));
    }
  }

  /** Notes that an event for the next block is queued; false if it was already. */
  public boolean schedule() {
    boolean before = scheduled;
    scheduled = true;
    return !before;
  }

  public void blockBegan() {
    scheduled = false;
  }

  public Snapshot snapshot() {
    SortedMap<Integer, List<Waiting>> copy = new TreeMap<>();
    queues.forEach((sender, waiting) -> copy.put(sender, List.copyOf(waiting)));
    return new Snapshot(copy, new TreeMap<>(margins), scheduled);
  }
}
