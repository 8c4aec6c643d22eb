package io.kindred.node.measure;

import io.kindred.core.compute.Ticket;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** How long a node's rounds, tickets, messages and events take, and how large its messages are. */
public final class NodeMeasurements {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Histogram rounds = Histogram.ofSeconds();
  private final Histogram deliveries = Histogram.ofSeconds();
  private final Histogram waits = Histogram.ofSeconds();
  private final Histogram receivedBytes = Histogram.ofBytes();
  private final Map<Ticket.Kind, Histogram> tickets = new EnumMap<>(Ticket.Kind.class);

  public NodeMeasurements() {
    for (Ticket.Kind kind : Ticket.Kind.values()) {
      tickets.put(kind, Histogram.ofSeconds());
    }
  }

  /** A round is finished; seconds since the end of the one before. */
  public void round(double seconds) {
    rounds.add(seconds);
  }

  /** A ticket is computed. */
  public void ticket(Ticket.Kind kind, long nanos) {
    Histogram found = tickets.get(kind);
    if (found != null) {
      found.add(nanos / NANOS_PER_SECOND);
    }
  }

  /** The receiver of a message has confirmed it. */
  public void delivery(long nanos) {
    deliveries.add(nanos / NANOS_PER_SECOND);
  }

  /** An event is taken from the queue. */
  public void waited(long nanos) {
    waits.add(nanos / NANOS_PER_SECOND);
  }

  /** A message is received. */
  public void received(long bytes) {
    receivedBytes.add((double) bytes);
  }

  public Histogram.Snapshot rounds() {
    return rounds.snapshot();
  }

  public Histogram.Snapshot deliveries() {
    return deliveries.snapshot();
  }

  public Histogram.Snapshot waits() {
    return waits.snapshot();
  }

  public Histogram.Snapshot receivedBytes() {
    return receivedBytes.snapshot();
  }

  /** Tickets by their kind; kinds that no ticket had are left out. */
  public SortedMap<String, Histogram.Snapshot> tickets() {
    SortedMap<String, Histogram.Snapshot> all = new TreeMap<>();
    tickets.forEach(
        (kind, histogram) -> {
          Histogram.Snapshot snapshot = histogram.snapshot();
          if (snapshot.count() > 0) {
            all.put(kind.name().toLowerCase(Locale.ROOT), snapshot);
          }
        });
    return all;
  }
}
