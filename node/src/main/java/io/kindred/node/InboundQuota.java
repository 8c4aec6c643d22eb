package io.kindred.node;

import io.kindred.node.transport.inbound.MemoryBudget;
import io.kindred.node.transport.inbound.MessageReceiver;

/** Messages that wait to be stepped: so many at most, and so much of the memory. */
final class InboundQuota {
  private static final int MOST_MESSAGES = 1_024;

  private final MemoryBudget budget;
  private int queuedMessages;

  InboundQuota(MemoryBudget budget) {
    this.budget = budget;
  }

  /** Whether one more may wait. */
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
