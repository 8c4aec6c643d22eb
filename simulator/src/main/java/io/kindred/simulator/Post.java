package io.kindred.simulator;

import io.kindred.core.Component;
import io.kindred.core.Effect;
import io.kindred.core.Event;
import io.kindred.core.Message;
import io.kindred.core.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.overlay.SearchMessage;
import io.kindred.protocol.wire.MalformedException;
import io.kindred.protocol.wire.Wire;
import io.kindred.world.Faults;
import io.kindred.world.Link;
import io.kindred.world.Links;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Carries messages: how long they take, what becomes of them, who is told. */
final class Post {
  private static final String RETRIES = "link-retries";
  private static final String LOST = "link-lost";

  private final Simulation simulation;
  private final Scene scene;
  private final Roads roads;
  private final Barriers barriers;
  private final Inspector inspector;
  // A peer that says one thing to many says it in one object.
  private @Nullable Message lastMessage;
  private Wire.@Nullable Encoded lastEncoded;

  Post(Simulation simulation, Scene scene, Roads roads, Barriers barriers, Inspector inspector) {
    this.simulation = simulation;
    this.scene = scene;
    this.roads = roads;
    this.barriers = barriers;
    this.inspector = inspector;
  }

  Barriers barriers() {
    return barriers;
  }

  Roads.Snapshot roads() {
    return roads.snapshot();
  }

  @SuppressWarnings(
      "ReferenceEquality") // comparing what messages say would cost more than it saves
  private Wire.Encoded encode(Message message) {
    Wire.@Nullable Encoded known = lastEncoded;
    if (known == null || lastMessage != message) {
      known = scene.wire().encode(Message.class, message);
      lastMessage = message;
      lastEncoded = known;
    }
    return known;
  }

  void send(int from, Component component, Effect.Send send) {
    long to = send.to().number();
    if (to < 0 || to >= scene.participants().size()) {
      simulation.fails(from, component, send.to(), send.message());
      return;
    }
    Wire.Encoded encoded = encode(send.message());
    Transfer transfer =
        new Transfer(
            simulation.nextSequence(from),
            from,
            (int) to,
            component,
            send.message(),
            encoded.bytes().length,
            encoded.modelBytes(),
            encoded.weights().size(),
            simulation.tick(),
            1);
    Link link = scene.world().link(from, transfer.to(), simulation.worldRound());
    if (simulation.faultsSpareMessages() && link.loss() == 0) {
      forward(transfer, link, 0, 0);
    } else {
      sendAtRisk(transfer, link);
    }
  }

  private void sendAtRisk(Transfer transfer, Link link) {
    RandomStream random =
        scene.world().streams().stream(Purpose.FAULTS, transfer.from(), transfer.number() + 1);
    Faults.Fate fate =
        simulation.faultsSpareMessages() ? Faults.Fate.NONE : scene.world().faults().fate(random);
    if (fate.lost() || barriers.stand(transfer.from(), transfer.to())) {
      leaves(transfer);
      undeliverable(transfer);
      return;
    }
    Links.Attempts attempts =
        scene
            .world()
            .linksOf(transfer.from(), transfer.to())
            .attempt(transfer.from(), transfer.to(), link, simulation.tick(), random);
    Transfer tried = transfer.tried(attempts.made());
    for (int i = 1; i < attempts.made(); i++) {
      simulation.count(RETRIES);
    }
    if (!attempts.arrived()) {
      simulation.count(LOST);
      leaves(tried);
      undeliverable(tried);
      return;
    }
    long damage = fate.corrupted() ? random.nextLong() | 1 : 0;
    forward(tried, link, fate.delayTicks() + attempts.waitTicks(), damage);
    if (fate.duplicated()) {
      forward(tried, link, random.nextInt(1 + (int) fate.delayTicks()), 0);
    }
    if (fate.misreported()) {
      fails(tried);
    }
  }

  private void leaves(Transfer transfer) {
    simulation
        .traffic()
        .sent(
            transfer.from(),
            transfer.attempts() * transfer.control(),
            transfer.attempts() * transfer.model());
    if (transfer.message() instanceof SearchMessage) {
      simulation.traffic().searched(transfer.attempts() * transfer.control());
    }
    inspector.sent(transfer, simulation.tick());
  }

  private void forward(Transfer transfer, Link link, long delay, long damage) {
    leaves(transfer);
    long now = simulation.tick();
    if (transfer.model() == 0) {
      schedule(
          roads.controlArrival(transfer, link, now) + delay,
          transfer,
          new Pending.Arrival(transfer, damage));
      return;
    }
    Roads.Passage passage = roads.depart(transfer, link, now);
    schedule(
        passage.firstBit(),
        transfer,
        new Pending.Hop(transfer, passage.lastBit(), delay, damage, roads.viaRelay(transfer)));
  }

  private void schedule(long at, Transfer transfer, Pending pending) {
    simulation.schedule(at, transfer.to(), transfer.from(), pending);
  }

  /** The first bit is at the relay or at the door. */
  void hop(Pending.Hop hop) {
    Transfer transfer = hop.transfer();
    long now = simulation.tick();
    if (!hop.atRelay()) {
      schedule(
          roads.arrive(transfer, now, hop.lastBit()) + hop.delay(),
          transfer,
          new Pending.Arrival(transfer, hop.damage()));
      return;
    }
    Link link = scene.world().link(transfer.from(), transfer.to(), simulation.worldRound());
    Roads.Passage passage = roads.relay(transfer, link, now, hop.lastBit());
    schedule(
        passage.firstBit(),
        transfer,
        new Pending.Hop(transfer, passage.lastBit(), hop.delay(), hop.damage(), false));
  }

  void deliver(Pending.Arrival arrival) {
    Transfer transfer = arrival.transfer();
    if (arrival.damage() != 0) {
      readDamaged(transfer, arrival.damage());
      simulation.count("damaged-message");
      undeliverable(transfer);
      return;
    }
    simulation
        .traffic()
        .received(transfer.to(), transfer.control(), transfer.model(), transfer.models());
    int inVain = transfer.attempts() - 1;
    simulation.traffic().lost(inVain * transfer.control(), inVain * transfer.model());
    inspector.arrived(transfer, simulation.tick());
    simulation.deliver(
        transfer.to(),
        transfer.component(),
        new Event.Received(
            simulation.clock(transfer.to()), new PeerId(transfer.from()), transfer.message()));
  }

  /**
   * Reads a message of which one bit is turned over. Whatever comes of it is dropped, because a
   * connection that is authenticated notices; but no bytes may make the reader fail in another way
   * than by refusing them.
   */
  private void readDamaged(Transfer transfer, long damage) {
    Wire.Encoded encoded = scene.wire().encode(Message.class, transfer.message());
    byte[] bytes = encoded.bytes().clone();
    int bit = (int) Long.remainderUnsigned(damage, 8L * bytes.length);
    bytes[bit / 8] ^= (byte) (1 << (bit % 8));
    Map<Digest, Weights> weights = new TreeMap<>();
    encoded.weights().forEach(each -> weights.put(each.digest(), each));
    try {
      scene.wire().decode(Message.class, bytes, weights::get);
      simulation.count("damage-unseen-by-codec");
    } catch (MalformedException refused) {
      simulation.count("damage-refused-by-codec");
    }
  }

  /** A message that does not arrive, and a sender that learns of it. */
  void undeliverable(Transfer transfer) {
    simulation
        .traffic()
        .lost(transfer.attempts() * transfer.control(), transfer.attempts() * transfer.model());
    inspector.lost(transfer, simulation.tick());
    fails(transfer);
  }

  private void fails(Transfer transfer) {
    simulation.fails(
        transfer.from(), transfer.component(), new PeerId(transfer.to()), transfer.message());
  }
}
