package io.kindred.node;

import io.kindred.core.Component;
import io.kindred.core.Message;
import io.kindred.core.PeerId;
import io.kindred.node.log.Log;
import io.kindred.node.transport.AddressBook;
import io.kindred.node.transport.Arrivals;
import io.kindred.node.transport.Collector;
import io.kindred.node.transport.Conduct;
import io.kindred.node.transport.Inbox;
import io.kindred.node.transport.Layouts;
import io.kindred.node.transport.Outbox;
import io.kindred.node.transport.Packing;
import io.kindred.node.transport.Refusals;
import io.kindred.node.transport.Relay;
import io.kindred.protocol.wire.Wire;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A node's messages in and out: its door, its connections, and whom it knows. */
final class Post implements AutoCloseable {
  /** A message in the form in which it is sent. */
  record Letter(Wire.Encoded encoded, int controlBytes, long modelBytes) {}

  private final NodePlan plan;
  private final Wire wire;
  private final ScheduledExecutorService timers;
  private final Log log;
  private final Conduct conduct;
  private final AddressBook book;
  private final Inbox inbox;
  private final ExecutorService connections = Executors.newVirtualThreadPerTaskExecutor();
  private volatile @Nullable Outbox outbox;
  private volatile @Nullable Collector collector;

  /** Opens the door. */
  Post(NodePlan plan, Wire wire, Arrivals arrivals, ScheduledExecutorService timers, Log log) {
    this.plan = plan;
    this.wire = wire;
    this.timers = timers;
    this.log = log;
    conduct = new Conduct(plan.limits(), new Refusals(log));
    book = new AddressBook(plan.identity());
    inbox =
        new Inbox(
            plan.listen(),
            plan.identity(),
            wire,
            new Layouts(List.of(plan.cast().architecture().layout())),
            arrivals,
            book,
            conduct,
            connections,
            timers);
  }

  int port() {
    return inbox.port();
  }

  Conduct conduct() {
    return conduct;
  }

  /** Members whose address is known. */
  int known() {
    return book.known().size();
  }

  /** Lets messages out, to these and to whomever they know of. */
  Outbox open(SortedMap<PeerId, InetSocketAddress> addresses) {
    book.name(addresses);
    book.keep(plan.whereabouts(port(), System.currentTimeMillis()));
    Outbox open =
        new Outbox(
            plan.identity(),
            book,
            plan.sendMillis(),
            plan.packing(),
            conduct.refusals(),
            connections,
            timers);
    outbox = open;
    plan.relay()
        .ifPresent(
            relay -> {
              Collector boxes = new Collector(open, relay, inbox, timers);
              collector = boxes;
              boxes.open();
            });
    return open;
  }

  Letter letter(Message message) {
    Packing packing = plan.packing();
    Wire.Encoded encoded = wire.encode(Message.class, message, packing::asSent);
    return new Letter(
        encoded, encoded.bytes().length, packing.bytes(encoded.modelBytes() / Float.BYTES));
  }

  /** Sends, and tells once how it ended: with nothing, or with what went wrong. */
  void send(PeerId to, Component component, Letter letter, Consumer<Optional<String>> ended) {
    Outbox open = outbox;
    if (open == null) {
      throw new IllegalStateException("a message before the start");
    }
    open.send(to, component, letter.encoded(), ended);
  }

  long framedBytes() {
    Outbox open = outbox;
    return open == null ? 0 : open.framedBytes();
  }

  /** An operator may replace certificates and lists of revoked ones at any time. */
  void refreshPapers() {
    Outbox open = outbox;
    if (plan.identity().refresh(log) && open != null) {
      book.keep(plan.whereabouts(port(), System.currentTimeMillis()));
      book.checkAgain();
      open.renew();
    }
  }

  void stopListening() {
    inbox.close();
  }

  /** What was handed on to members that others cannot reach. */
  Relay.Told relayed() {
    return inbox.relayed();
  }

  @Override
  public void close() {
    Collector boxes = collector;
    if (boxes != null) {
      boxes.close();
    }
    stopListening();
    Outbox open = outbox;
    if (open != null) {
      open.close();
    }
    connections.shutdownNow();
  }
}
