package io.kindred.node;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * How a peer takes its leave: one that leads others hands that over, and what it sends for it gets
 * a little time to arrive.
 */
final class GracefulLeave {
  private static final long TIMEOUT_MILLIS = 2_000;
  private static final int POLL_MILLIS = 10;

  private final CountDownLatch leaveStepDone = new CountDownLatch(1);
  private final AtomicInteger pendingSends = new AtomicInteger();
  private volatile boolean inLeaveStep;

  /** The peer was told to leave; what it sends until the end of that step is a farewell. */
  void leaveStepStarted() {
    inLeaveStep = true;
  }

  void stepFinished() {
    if (inLeaveStep) {
      inLeaveStep = false;
      leaveStepDone.countDown();
    }
  }

  /** Keeps count of a message if it is a farewell. */
  Consumer<Optional<String>> trackSend(Consumer<Optional<String>> ended) {
    if (!inLeaveStep) {
      return ended;
    }
    pendingSends.incrementAndGet();
    return why -> {
      pendingSends.decrementAndGet();
      ended.accept(why);
    };
  }

  /** Waits for the farewells, or until the node is over anyway. */
  void await(BooleanSupplier over) {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS);
    try {
      while ((leaveStepDone.getCount() > 0 || pendingSends.get() > 0)
          && !over.getAsBoolean()
          && System.nanoTime() < until) {
        Thread.sleep(POLL_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
