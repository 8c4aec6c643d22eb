package io.kindred.simulator;

import io.kindred.core.peer.Ticks;
import io.kindred.environment.device.Device;
import io.kindred.environment.link.RadioBlocks;
import io.kindred.environment.link.RadioTransfers;
import io.kindred.environment.link.RateChoice;
import io.kindred.environment.radio.RadioMedium;
import io.kindred.simulator.state.QueuedEvent;
import io.kindred.simulator.state.RadioQueues;
import io.kindred.simulator.state.RadioQueues.Waiting;
import io.kindred.simulator.state.SimulationSpec;
import io.kindred.simulator.state.Transfer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Carries messages over the radio that all peers share. Time is divided into blocks. In each block
 * a peer transmits to one receiver as much as the time allows; a message takes as many blocks as
 * its size needs. A block that the receiver cannot decode is repeated, and after too many
 * repetitions in a row the whole message is given up.
 */
final class RadioNetwork {
  private static final String BLOCKS = "link-blocks";
  private static final String RETRIES = "link-retries";
  private static final String LOST = "link-lost";

  private final SimulationSpec spec;
  private final VirtualClock clock;
  private final EventQueue queue;
  private final PeerTable peerTable;
  private final CurrentEnvironment environment;
  private final RunStatistics statistics;
  private final Consumer<Transfer> givenUp;
  private final RadioBlocks radio;
  private final RadioTransfers settings;
  private final RadioQueues waiting;

  /**
   * @param givenUp notifies the sender of a message that does not arrive
   */
  RadioNetwork(
      SimulationSpec spec,
      VirtualClock clock,
      EventQueue queue,
      PeerTable peerTable,
      CurrentEnvironment environment,
      RunStatistics statistics,
      Consumer<Transfer> givenUp,
      RadioBlocks radio,
      RadioQueues waiting) {
    this.spec = spec;
    this.clock = clock;
    this.queue = queue;
    this.peerTable = peerTable;
    this.environment = environment;
    this.statistics = statistics;
    this.givenUp = givenUp;
    this.radio = radio;
    this.settings = radio.transfer();
    this.waiting = waiting;
  }

  RadioQueues.Snapshot snapshot() {
    return waiting.snapshot();
  }

  /** Whether messages between two participants go by radio. */
  boolean connects(int from, int to) {
    return radio.connects(from, to);
  }

  /** Queues a message; its transmission begins with the next block at the earliest. */
  void send(Transfer transfer, long delay, long corruptionSeed) {
    statistics.traffic().queued(transfer);
    waiting.add(Waiting.of(transfer, delay, corruptionSeed));
    scheduleBlock(Math.ceilDiv(clock.tick(), radio.blockTicks()));
  }

  private void scheduleBlock(long number) {
    if (waiting.schedule()) {
      queue.scheduleEnvironment(number * radio.blockTicks(), new QueuedEvent.RadioBlock(number));
    }
  }

  /** Plays one block: all transmissions in it disturb each other. */
  void play(long number) {
    waiting.blockBegan();
    waiting.senders().stream().filter(each -> !peerTable.isUp(each)).forEach(this::giveUpAll);
    for (RadioMedium.Heard heard : radio.medium().transmissions(number, sendersOf(number))) {
      transmit(heard);
    }
    if (!waiting.isEmpty()) {
      scheduleBlock(number + 1);
    }
  }

  /** The messages of a peer that went down are lost. */
  private void giveUpAll(int sender) {
    waiting.of(sender).forEach(this::giveUp);
    waiting.replace(sender, List.of());
  }

  private void giveUp(Waiting message) {
    statistics.count(LOST);
    statistics.traffic().lost(message.deliveredBytes());
    givenUp.accept(message.transfer());
  }

  /**
   * The transmissions that peers want to make in a block: each peer to the first receiver in its
   * queue that can listen.
   */
  private List<RadioMedium.Sender> sendersOf(long number) {
    List<RadioMedium.Sender> senders = new ArrayList<>();
    boolean[] transmits = new boolean[spec.peers()];
    boolean[] listens = new boolean[spec.peers()];
    for (int peer : radio.medium().accessOrder(number)) {
      if (peerTable.isPaused(peer) || (settings.halfDuplex() && listens[peer])) {
        continue;
      }
      for (Waiting message : waiting.of(peer)) {
        int to = message.transfer().to();
        if (!settings.halfDuplex() || !transmits[to]) {
          transmits[peer] = true;
          listens[to] = true;
          senders.add(new RadioMedium.Sender(peer, to));
          break;
        }
      }
    }
    return senders;
  }

  /** Transmits as many waiting messages to one receiver as fit into the block. */
  private void transmit(RadioMedium.Heard heard) {
    int from = heard.sender().from();
    int to = heard.sender().to();
    double margin = waiting.margin(from, to);
    RateChoice.Rate rate = radio.rates().choose(heard.snr(), margin);
    long used = 0;
    boolean full = false;
    boolean fresh = false;
    List<Waiting> left = new ArrayList<>();
    for (Waiting message : waiting.of(from)) {
      Waiting block = full || message.transfer().to() != to ? message : cut(message, rate, used);
      if (full
          || message.transfer().to() != to
          || block.blockBytes() == 0
          || used + block.airTicks() > radio.blockTicks()) {
        full |= message.transfer().to() == to;
        left.add(message);
        continue;
      }
      used += block.airTicks();
      fresh |= block.failures() == 0;
      transmit(block, used, heard.sinr(), left);
    }
    waiting.replace(from, left);
    if (fresh && radio.rates().adapts() && peerTable.isUp(to)) {
      waiting.setMargin(from, to, radio.rates().marginAfter(margin, heard.sinr() >= rate.sinr()));
    }
  }

  /** Gives a message its next block: the rest of it, or what fits into the rest of the time. */
  private Waiting cut(Waiting message, RateChoice.Rate rate, long usedTicks) {
    if (message.blockBytes() > 0) {
      return message;
    }
    Transfer transfer = message.transfer();
    double bytesPerSecond =
        Math.min(
            rate.bytesPerSecond(),
            Math.min(device(transfer.from()).uplink(), device(transfer.to()).downlink()));
    long fitting = (long) (Ticks.toSeconds(radio.blockTicks() - usedTicks) * bytesPerSecond);
    // However slow the radio is, an empty block carries one byte.
    long bytes =
        Math.min(message.remainingBytes(), usedTicks == 0 ? Math.max(1, fitting) : fitting);
    long ticks = (long) Math.ceil(bytes / bytesPerSecond * Ticks.PER_SECOND);
    return message.cut(bytes, Math.clamp(ticks, 1, radio.blockTicks()), rate.sinr());
  }

  private Device device(int peer) {
    return spec.environment().device(peer);
  }

  private void transmit(Waiting message, long endTicks, double sinr, List<Waiting> left) {
    Transfer transfer = message.transfer();
    statistics.count(BLOCKS);
    if (message.failures() > 0) {
      statistics.count(RETRIES);
    }
    statistics
        .traffic()
        .transmitted(transfer, message.deliveredBytes(), message.blockBytes(), message.airTicks());
    double collected =
        sinr
            + (settings.combining() == RadioTransfers.Combining.CHASE
                ? message.collectedSinr()
                : 0);
    if (collected >= message.neededSinr() && peerTable.isUp(transfer.to())) {
      Waiting decoded = message.decoded();
      if (decoded.remainingBytes() > 0) {
        left.add(decoded);
      } else {
        queue.schedule(
            clock.tick()
                + endTicks
                + environment.link(transfer.from(), transfer.to()).latencyTicks()
                + message.delay(),
            transfer.to(),
            transfer.from(),
            new QueuedEvent.Arrival(transfer, message.corruptionSeed()));
      }
      return;
    }
    statistics.traffic().lost(message.blockBytes());
    if (message.failures() >= settings.retries()) {
      giveUp(message);
    } else {
      left.add(message.failed(collected));
    }
  }
}
