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
 * Inbound messages by sender and message id: those that were received, so that none counts twice,
 * and those that were interrupted, so that the received part need not be sent again.
 */
public final class InboundTransfers {
  /** A message that is being received. */
  interface ActiveTransfer {
    /** Ends the transfer and keeps the received part for a while. */
    void interrupt();
  }

  /** Ids of received messages that are remembered for each member. */
  private static final int REMEMBERED_IDS = 1_024;

  record TransferKey(PeerId from, String messageId) {}

  /**
   * A message whose transfer was interrupted.
   *
   * @param reservedBytes memory that it keeps reserved, which passes to the call that resumes it
   */
  record InterruptedTransfer(
      TransferKey id, PartialMessage message, long reservedBytes, long sinceNanos) {}

  private final Limits limits;
  private final MemoryBudget budget;
  private final LongSupplier nanos;
  private final SortedMap<PeerId, Deque<String>> received = new TreeMap<>();
  private final SortedMap<PeerId, SortedMap<String, ActiveTransfer>> active = new TreeMap<>();
  private final Deque<InterruptedTransfer> interrupted = new ArrayDeque<>();

  InboundTransfers(Limits limits, MemoryBudget budget, LongSupplier nanos) {
    this.limits = limits;
    this.budget = budget;
    this.nanos = nanos;
  }

  synchronized boolean wasReceived(PeerId from, String messageId) {
    Deque<String> known = received.get(from);
    return known != null && known.contains(messageId);
  }

  synchronized void markReceived(PeerId from, String messageId) {
    Deque<String> known = received.computeIfAbsent(from, peer -> new ArrayDeque<>());
    known.addFirst(messageId);
    if (known.size() > REMEMBERED_IDS) {
      known.removeLast();
    }
  }

  /**
   * Registers an open transfer. An interrupted part of the same message is dropped, as the message
   * starts again.
   */
  synchronized void register(PeerId from, String messageId, ActiveTransfer transfer) {
    TransferKey key = new TransferKey(from, messageId);
    discard(each -> each.id().equals(key));
    active.computeIfAbsent(from, peer -> new TreeMap<>()).put(messageId, transfer);
  }

  synchronized void unregister(PeerId from, String messageId, ActiveTransfer transfer) {
    SortedMap<String, ActiveTransfer> all = active.get(from);
    if (all != null) {
      all.remove(messageId, transfer);
    }
  }

  /** The open transfer of a message, whose sender may already have lost the connection. */
  synchronized Optional<ActiveTransfer> findActive(PeerId from, String messageId) {
    SortedMap<String, ActiveTransfer> all = active.get(from);
    return all == null ? Optional.empty() : Optional.ofNullable(all.get(messageId));
  }

  /**
   * Reserves memory for a message. Interrupted transfers are dropped for it, those of the same
   * sender first; those of other senders only while the sender is within its share.
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
   * Keeps the last interrupted transfer of each member, for a while and as long as its memory is
   * not needed. From now on this object owns that memory.
   */
  synchronized void keepInterrupted(
      PeerId from, String messageId, PartialMessage message, long reservedBytes) {
    discard(each -> each.id().from().equals(from));
    interrupted.addLast(
        new InterruptedTransfer(
            new TransferKey(from, messageId), message, reservedBytes, nanos.getAsLong()));
    long sum = interrupted.stream().mapToLong(each -> each.message().announcedBytes()).sum();
    while (sum > limits.messageBytes()) {
      InterruptedTransfer oldest = interrupted.getFirst();
      sum -= oldest.message().announcedBytes();
      discard(oldest::equals);
    }
  }

  /** Removes and returns an interrupted transfer; its reserved memory passes to the caller. */
  synchronized Optional<InterruptedTransfer> resume(PeerId from, String messageId) {
    Optional<InterruptedTransfer> found = findInterrupted(from, messageId);
    found.ifPresent(interrupted::remove);
    return found;
  }

  /** Number of weights received of an interrupted message; 0 if it is unknown. */
  synchronized long receivedWeights(PeerId from, String messageId) {
    return findInterrupted(from, messageId)
        .map(each -> each.message().receivedWeights())
        .orElse(0L);
  }

  private Optional<InterruptedTransfer> findInterrupted(PeerId from, String messageId) {
    long oldest = nanos.getAsLong() - 1_000_000L * limits.messageMillis();
    discard(each -> each.sinceNanos() - oldest < 0);
    TransferKey key = new TransferKey(from, messageId);
    return interrupted.stream().filter(each -> each.id().equals(key)).findFirst();
  }
}
