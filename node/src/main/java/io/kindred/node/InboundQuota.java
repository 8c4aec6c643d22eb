package io.kindred.node;

import io.kindred.node.transport.inbound.MemoryBudget;
import io.kindred.node.transport.inbound.MessageReceiver;

/**
 * Bounds the messages that wait to be stepped, by their number and by the memory that they take.
 */
final class InboundQuota {
  private static final int MOST_MESSAGES = 1_024;

  private final MemoryBudget budget;
  private int queuedMessages;

  InboundQuota(MemoryBudget budget) {
    this.budget = budget;
  }

  /** Whether one more message may wait; if so, it is counted. */
  synchronized boolean tryAcquire(MessageReceiver.ReceivedMessage received) {
    if (queuedMessages >= MOST_MESSAGES
        || !budget.tryReserve(received.from(), received.memoryBytes())) {
      return false;
    }
    queuedMessages++;
    return true;
  }

  synchronized void release(MessageReceiver.ReceivedMessage received) {
    queuedMessages--;
    budget.release(received.from(), received.memoryBytes());
  }
}
