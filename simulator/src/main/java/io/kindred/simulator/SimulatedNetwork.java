package io.kindred.simulator;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Weights;
import io.kindred.environment.fault.Faults;
import io.kindred.environment.link.Link;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.Wire;
import io.kindred.simulator.state.BandwidthModel;
import io.kindred.simulator.state.QueuedEvent;
import io.kindred.simulator.state.RadioQueues;
import io.kindred.simulator.state.SimulationSpec;
import io.kindred.simulator.state.Transfer;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Carries messages: computes when they arrive, applies message faults and reports failures to the
 * sender.
 */
final class SimulatedNetwork {
  private static final String LOST = "link-lost";

  private final SimulationSpec spec;
  private final VirtualClock clock;
  private final EventQueue queue;
  private final PeerTable peerTable;
  private final CurrentEnvironment environment;
  private final BandwidthModel bandwidth;
  private final @Nullable RadioNetwork radio;
  private final RunStatistics statistics;
  private final StepListener listener;
  // A peer that sends one message to many receivers passes the same object each time.
  private @Nullable Message lastMessage;
  private Wire.@Nullable Size lastSize;

  SimulatedNetwork(
      SimulationSpec spec,
      VirtualClock clock,
      EventQueue queue,
      PeerTable peerTable,
      CurrentEnvironment environment,
      BandwidthModel bandwidthModel,
      RadioQueues radioQueues,
      RunStatistics statistics,
      StepListener listener) {
    this.spec = spec;
    this.clock = clock;
    this.queue = queue;
    this.peerTable = peerTable;
    this.environment = environment;
    this.bandwidth = bandwidthModel;
    this.statistics = statistics;
    this.listener = listener;
    radio =
        spec.environment()
            .network()
            .links()
            .radioBlocks()
            .map(
                blocks ->
                    new RadioNetwork(
                        spec,
                        clock,
                        queue,
                        peerTable,
                        environment,
                        statistics,
                        this::reportLost,
                        blocks,
                        radioQueues))
            .orElse(null);
  }

  BandwidthModel.Snapshot bandwidth() {
    return bandwidth.snapshot();
  }

  RadioQueues.Snapshot radio() {
    return radio == null ? RadioQueues.Snapshot.NONE : radio.snapshot();
  }

  /** A block of the radio begins. */
  void playRadioBlock(long number) {
    if (radio == null) {
      throw new IllegalStateException("no peer has radio, but block " + number + " began");
    }
    radio.play(number);
  }

  @SuppressWarnings("ReferenceEquality") // comparing message contents would cost more than it saves
  private Wire.Size size(Message message) {
    Wire.@Nullable Size known = lastSize;
    if (known == null || lastMessage != message) {
      known = spec.wire().size(Message.class, message);
      lastMessage = message;
      lastSize = known;
    }
    return known;
  }

  void send(int from, Component component, Effect.Send send) {
    long to = send.to().number();
    if (to < 0 || to >= spec.participants().size()) {
      scheduleSendFailure(from, component, send.to(), send.message());
      return;
    }
    Wire.Size size = size(send.message());
    Transfer transfer =
        new Transfer(
            queue.nextSequence(from),
            from,
            (int) to,
            component,
            send.message(),
            size.bytes(),
            size.modelBytes(),
            size.models(),
            clock.tick());
    Link link = environment.link(from, transfer.to());
    if (environment.hasNoMessageFaults() && (link.loss() == 0 || usesRadio(transfer))) {
      forward(transfer, link, 0, 0);
    } else {
      sendWithFaults(transfer, link);
    }
  }

  private void sendWithFaults(Transfer transfer, Link link) {
    RandomStream random =
        spec.environment().streams().stream(Purpose.FAULTS, transfer.from(), transfer.number() + 1);
    Faults.MessageFault messageFault =
        environment.hasNoMessageFaults()
            ? Faults.MessageFault.NONE
            : spec.environment().faults().drawMessageFault(random);
    if (messageFault.lost() || environment.partitions().blocks(transfer.from(), transfer.to())) {
      recordSent(transfer);
      reportUndeliverable(transfer);
      return;
    }
    if (!usesRadio(transfer) && random.nextDouble() < link.loss()) {
      statistics.count(LOST);
      recordSent(transfer);
      reportUndeliverable(transfer);
      return;
    }
    long corruptionSeed = messageFault.corrupted() ? random.nextLong() | 1 : 0;
    forward(transfer, link, messageFault.delayTicks(), corruptionSeed);
    if (messageFault.duplicated()) {
      forward(transfer, link, random.nextInt(1 + (int) messageFault.delayTicks()), 0);
    }
    if (messageFault.misreported()) {
      reportFailure(transfer);
    }
  }

  /** Messages between segments take the relay, which is reached by wire. */
  private boolean usesRadio(Transfer transfer) {
    return radio != null
        && radio.connects(transfer.from(), transfer.to())
        && !bandwidth.viaRelay(transfer);
  }

  private void recordSent(Transfer transfer) {
    statistics.traffic().sent(transfer);
    listener.sent(transfer, clock.tick());
  }

  private void forward(Transfer transfer, Link link, long delay, long corruptionSeed) {
    if (radio != null && usesRadio(transfer)) {
      listener.sent(transfer, clock.tick());
      radio.send(transfer, delay, corruptionSeed);
      return;
    }
    recordSent(transfer);
    long now = clock.tick();
    if (transfer.modelBytes() == 0) {
      schedule(
          bandwidth.controlArrival(transfer, link, now) + delay,
          transfer,
          new QueuedEvent.Arrival(transfer, corruptionSeed));
      return;
    }
    BandwidthModel.ArrivalTimes arrivalTimes = bandwidth.departFromSender(transfer, link, now);
    schedule(
        arrivalTimes.firstByteTick(),
        transfer,
        new QueuedEvent.FirstByte(
            transfer,
            arrivalTimes.lastByteTick(),
            delay,
            corruptionSeed,
            bandwidth.viaRelay(transfer)));
  }

  private void schedule(long at, Transfer transfer, QueuedEvent event) {
    queue.schedule(at, transfer.to(), transfer.from(), event);
  }

  /** The first byte is at the relay or at the receiver. */
  void firstByteArrived(QueuedEvent.FirstByte firstByte) {
    Transfer transfer = firstByte.transfer();
    long now = clock.tick();
    if (!firstByte.atRelay()) {
      schedule(
          bandwidth.arriveAtReceiver(transfer, now, firstByte.lastByteTick()) + firstByte.delay(),
          transfer,
          new QueuedEvent.Arrival(transfer, firstByte.corruptionSeed()));
      return;
    }
    Link link = environment.link(transfer.from(), transfer.to());
    BandwidthModel.ArrivalTimes arrivalTimes =
        bandwidth.relay(transfer, link, now, firstByte.lastByteTick());
    schedule(
        arrivalTimes.firstByteTick(),
        transfer,
        new QueuedEvent.FirstByte(
            transfer,
            arrivalTimes.lastByteTick(),
            firstByte.delay(),
            firstByte.corruptionSeed(),
            false));
  }

  /**
   * The last byte is at the receiver. Returns the message, or nothing if it is damaged; the failure
   * is then reported to its sender.
   */
  Optional<Event.Received> receive(QueuedEvent.Arrival arrival) {
    Transfer transfer = arrival.transfer();
    if (arrival.corruptionSeed() != 0) {
      decodeCorrupted(transfer, arrival.corruptionSeed());
      statistics.count("damaged-message");
      reportUndeliverable(transfer);
      return Optional.empty();
    }
    statistics.traffic().received(transfer);
    listener.arrived(transfer, clock.tick());
    return Optional.of(
        new Event.Received(
            clock.localTick(transfer.to()), new PeerId(transfer.from()), transfer.message()));
  }

  /**
   * Decodes a message of which one bit is flipped. The result is dropped, because an authenticated
   * connection notices the damage; but no bytes may make the decoder fail in another way than by
   * refusing them.
   */
  private void decodeCorrupted(Transfer transfer, long corruptionSeed) {
    Wire.Encoded encoded = spec.wire().encode(Message.class, transfer.message());
    byte[] bytes = encoded.bytes().clone();
    int bit = (int) Long.remainderUnsigned(corruptionSeed, 8L * bytes.length);
    bytes[bit / 8] ^= (byte) (1 << (bit % 8));
    Map<Digest, Weights> weights = new TreeMap<>();
    encoded.weights().forEach(each -> weights.put(each.digest(), each));
    try {
      spec.wire().decode(Message.class, bytes, weights::get);
      statistics.count("damage-unseen-by-codec");
    } catch (MalformedException refused) {
      statistics.count("damage-refused-by-codec");
    }
  }

  /** Records a message that does not arrive and reports the failure to its sender. */
  void reportUndeliverable(Transfer transfer) {
    statistics.traffic().lost(transfer.controlBytes() + transfer.modelBytes());
    reportLost(transfer);
  }

  private void reportLost(Transfer transfer) {
    listener.lost(transfer, clock.tick());
    reportFailure(transfer);
  }

  private void reportFailure(Transfer transfer) {
    scheduleSendFailure(
        transfer.from(), transfer.component(), new PeerId(transfer.to()), transfer.message());
  }

  private void scheduleSendFailure(int sender, Component component, PeerId to, Message message) {
    queue.schedule(
        clock.tick() + spec.environment().network().noticeTicks(),
        sender,
        sender,
        new QueuedEvent.SendFailure(component, to, message, peerTable.incarnation(sender)));
  }
}
