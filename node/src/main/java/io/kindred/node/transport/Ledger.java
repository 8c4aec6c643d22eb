package io.kindred.node.transport;

import io.kindred.core.PeerId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * What came from whom, by the number that a sender gives to each of its messages: those that are
 * here, so that none counts twice, and those that broke off, so that the rest need not come again.
 */
final class Ledger {
  /** Of each member, the last messages that are known by number. */
  private static final int REMEMBERED = 1_024;

  private record Name(PeerId from, String number) {}

  private record Broken(Name name, Incoming message, long since) {}

  private final Limits limits;
  private final LongSupplier nanos;
  private final SortedMap<PeerId, Deque<String>> taken = new TreeMap<>();
  private final SortedMap<PeerId, SortedMap<String, Reception>> open = new TreeMap<>();
  private final Deque<Broken> broken = new ArrayDeque<>();

  Ledger(Limits limits, LongSupplier nanos) {
    this.limits = limits;
    this.nanos = nanos;
  }

  synchronized boolean knows(PeerId from, String number) {
    Deque<String> known = taken.get(from);
    return known != null && known.contains(number);
  }

  synchronized void took(PeerId from, String number) {
    Deque<String> known = taken.computeIfAbsent(from, peer -> new ArrayDeque<>());
    known.addFirst(number);
    if (known.size() > REMEMBERED) {
      known.removeLast();
    }
  }

  synchronized void opened(PeerId from, String number, Reception reception) {
    open.computeIfAbsent(from, peer -> new TreeMap<>()).put(number, reception);
  }

  synchronized void closed(PeerId from, String number, Reception reception) {
    SortedMap<String, Reception> all = open.get(from);
    if (all != null) {
      all.remove(number, reception);
    }
  }

  /** One that somebody still takes in, though its sender says that the connection broke. */
  synchronized Optional<Reception> find(PeerId from, String number) {
    SortedMap<String, Reception> all = open.get(from);
    return all == null ? Optional.empty() : Optional.ofNullable(all.get(number));
  }

  /** Keeps the last that broke off of each member, for a while, as long as there is room. */
  synchronized void broke(PeerId from, String number, Incoming message) {
    broken.removeIf(each -> each.name().from().equals(from));
    broken.addLast(new Broken(new Name(from, number), message, nanos.getAsLong()));
    long room = limits.messageBytes();
    Iterator<Broken> newestFirst = broken.descendingIterator();
    while (newestFirst.hasNext()) {
      room -= newestFirst.next().message().bytes();
      if (room < 0) {
        newestFirst.remove();
      }
    }
  }

  /** What is there of a message, to go on with. */
  synchronized Optional<Incoming> resume(PeerId from, String number) {
    Optional<Incoming> found = peek(from, number);
    found.ifPresent(message -> broken.removeIf(each -> each.message().equals(message)));
    return found;
  }

  /** How many weights of a message are there; 0 where nothing is known of it. */
  synchronized long progress(PeerId from, String number) {
    return peek(from, number).map(Incoming::weightsSoFar).orElse(0L);
  }

  private Optional<Incoming> peek(PeerId from, String number) {
    long oldest = nanos.getAsLong() - 1_000_000L * limits.messageMillis();
    broken.removeIf(each -> each.since() - oldest < 0);
    Name name = new Name(from, number);
    return broken.stream()
        .filter(each -> each.name().equals(name))
        .map(Broken::message)
        .findFirst();
  }
}
