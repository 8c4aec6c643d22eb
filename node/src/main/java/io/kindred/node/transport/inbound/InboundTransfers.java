package io.kindred.node.transport.inbound;

import io.kindred.core.peer.PeerId;
import io.kindred.node.transport.Limits;
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
final class InboundTransfers {
  /** Of each member, the last messages that are known by number. */
  private static final int REMEMBERED_IDS = 1_024;

  record TransferKey(PeerId from, String messageId) {}

  /**
   * A message that broke off.
   *
   * @param reservedBytes what it keeps of the room; whoever goes on with it has that
   */
  record InterruptedTransfer(
      TransferKey id, PartialMessage message, long reservedBytes, long sinceNanos) {}

  private final Limits limits;
  private final MemoryBudget budget;
  private final LongSupplier nanos;
  private final SortedMap<PeerId, Deque<String>> received = new TreeMap<>();
  private final SortedMap<PeerId, SortedMap<String, InboundCall>> active = new TreeMap<>();
  private final Deque<InterruptedTransfer> interrupted = new ArrayDeque<>();

  InboundTransfers(Limits limits, MemoryBudget budget, LongSupplier nanos) {
    this.limits = limits;
    this.budget = budget;
    this.nanos = nanos;
  }

  synchronized boolean wasReceived(PeerId from, String number) {
    Deque<String> known = received.get(from);
    return known != null && known.contains(number);
  }

  synchronized void markReceived(PeerId from, String number) {
    Deque<String> known = received.computeIfAbsent(from, peer -> new ArrayDeque<>());
    known.addFirst(number);
    if (known.size() > REMEMBERED_IDS) {
      known.removeLast();
    }
  }

  /** Of a message that begins anew nobody needs the beginning that broke off. */
  synchronized void register(PeerId from, String number, InboundCall call) {
    TransferKey key = new TransferKey(from, number);
    discard(each -> each.id().equals(key));
    active.computeIfAbsent(from, peer -> new TreeMap<>()).put(number, call);
  }

  synchronized void unregister(PeerId from, String number, InboundCall call) {
    SortedMap<String, InboundCall> all = active.get(from);
    if (all != null) {
      all.remove(number, call);
    }
  }

  /** One that somebody still takes in, though its sender says that the connection broke. */
  synchronized Optional<InboundCall> findActive(PeerId from, String number) {
    SortedMap<String, InboundCall> all = active.get(from);
    return all == null ? Optional.empty() : Optional.ofNullable(all.get(number));
  }

  /**
   * Takes room for a message. What broke off gives way, that of the same sender first; that of
   * others stays where the sender has had its share.
   */
  synchronized boolean reserve(PeerId from, long bytes) {
    if (budget.tryReserve(from, bytes)) {
      return true;
    }
    discard(each -> each.id().from().equals(from));
    while (!budget.tryReserve(from, bytes)) {
      if (interrupted.isEmpty() || !budget.isWithinShare(from, bytes)) {
        return false;
      }
      InterruptedTransfer oldest = interrupted.getFirst();
      discard(oldest::equals);
    }
    return true;
  }

  private void discard(Predicate<InterruptedTransfer> which) {
    List<InterruptedTransfer> dropped = interrupted.stream().filter(which).toList();
    interrupted.removeAll(dropped);
    dropped.forEach(each -> budget.release(each.id().from(), each.reservedBytes()));
  }

  /**
   * Keeps the last that broke off of each member, for a while, as long as nobody else needs its
   * room, which is the ledger's from now on.
   */
  synchronized void keepInterrupted(PeerId from, String number, PartialMessage message, long kept) {
    discard(each -> each.id().from().equals(from));
    interrupted.addLast(
        new InterruptedTransfer(new TransferKey(from, number), message, kept, nanos.getAsLong()));
    long sum = interrupted.stream().mapToLong(each -> each.message().announcedBytes()).sum();
    while (sum > limits.messageBytes()) {
      InterruptedTransfer oldest = interrupted.getFirst();
      sum -= oldest.message().announcedBytes();
      discard(oldest::equals);
    }
  }

  /** What is there of a message, to go on with; its room goes along. */
  synchronized Optional<InterruptedTransfer> resume(PeerId from, String number) {
    Optional<InterruptedTransfer> found = findInterrupted(from, number);
    found.ifPresent(interrupted::remove);
    return found;
  }

  /** How many weights of a message are there; 0 where nothing is known of it. */
  synchronized long receivedWeights(PeerId from, String number) {
    return findInterrupted(from, number).map(each -> each.message().receivedWeights()).orElse(0L);
  }

  private Optional<InterruptedTransfer> findInterrupted(PeerId from, String number) {
    long oldest = nanos.getAsLong() - 1_000_000L * limits.messageMillis();
    discard(each -> each.sinceNanos() - oldest < 0);
    TransferKey key = new TransferKey(from, number);
    return interrupted.stream().filter(each -> each.id().equals(key)).findFirst();
  }
}
