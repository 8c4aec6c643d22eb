package io.kindred.node.transport;

import io.kindred.core.PeerId;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * What came from whom, by the number that a sender gives to each of its messages: those that are
 * here, so that none counts twice, and those that broke off, so that the rest need not come again.
 */
final class Ledger {
  /** Of each member, the last messages that are known by number. */
  private static final int REMEMBERED = 1_024;

  record Name(PeerId from, String number) {}

  /**
   * A message that broke off.
   *
   * @param room what it keeps of the room; whoever goes on with it has that
   */
  record Broken(Name name, Incoming message, long room, long since) {}

  private final Limits limits;
  private final Room room;
  private final LongSupplier nanos;
  private final SortedMap<PeerId, Deque<String>> taken = new TreeMap<>();
  private final SortedMap<PeerId, SortedMap<String, Reception>> open = new TreeMap<>();
  private final Deque<Broken> broken = new ArrayDeque<>();

  Ledger(Limits limits, Room room, LongSupplier nanos) {
    this.limits = limits;
    this.room = room;
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

  /** Of a message that begins anew nobody needs the beginning that broke off. */
  synchronized void opened(PeerId from, String number, Reception reception) {
    Name name = new Name(from, number);
    drop(each -> each.name().equals(name));
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

  /**
   * Takes room for a message. What broke off gives way, that of the same sender first; that of
   * others stays where the sender has had its share.
   */
  synchronized boolean makeRoom(PeerId from, long bytes) {
    if (room.take(from, bytes)) {
      return true;
    }
    drop(each -> each.name().from().equals(from));
    while (!room.take(from, bytes)) {
      if (broken.isEmpty() || !room.isWithinShare(from, bytes)) {
        return false;
      }
      Broken oldest = broken.getFirst();
      drop(oldest::equals);
    }
    return true;
  }

  private void drop(Predicate<Broken> which) {
    List<Broken> dropped = broken.stream().filter(which).toList();
    broken.removeAll(dropped);
    dropped.forEach(each -> room.leave(each.name().from(), each.room()));
  }

  /**
   * Keeps the last that broke off of each member, for a while, as long as nobody else needs its
   * room, which is the ledger's from now on.
   */
  synchronized void broke(PeerId from, String number, Incoming message, long kept) {
    drop(each -> each.name().from().equals(from));
    broken.addLast(new Broken(new Name(from, number), message, kept, nanos.getAsLong()));
    long sum = broken.stream().mapToLong(each -> each.message().bytes()).sum();
    while (sum > limits.messageBytes()) {
      Broken oldest = broken.getFirst();
      sum -= oldest.message().bytes();
      drop(oldest::equals);
    }
  }

  /** What is there of a message, to go on with; its room goes along. */
  synchronized Optional<Broken> resume(PeerId from, String number) {
    Optional<Broken> found = peek(from, number);
    found.ifPresent(broken::remove);
    return found;
  }

  /** How many weights of a message are there; 0 where nothing is known of it. */
  synchronized long progress(PeerId from, String number) {
    return peek(from, number).map(each -> each.message().weightsSoFar()).orElse(0L);
  }

  private Optional<Broken> peek(PeerId from, String number) {
    long oldest = nanos.getAsLong() - 1_000_000L * limits.messageMillis();
    drop(each -> each.since() - oldest < 0);
    Name name = new Name(from, number);
    return broken.stream().filter(each -> each.name().equals(name)).findFirst();
  }
}
