package io.kindred.node;

import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Lets a peer leave gracefully: it steps the leave event, in which it hands over any leadership,
 * and the messages it sends in that step get a short time to be delivered.
 */
final class GracefulLeave {
  private static final long TIMEOUT_MILLIS = 2_000;
  private static final int POLL_MILLIS = 10;

  private final CountDownLatch leaveStepDone = new CountDownLatch(1);
  private final AtomicInteger pendingSends = new AtomicInteger();
  private volatile boolean inLeaveStep;

  /** Starts the step of the leave event; messages sent until the step ends are tracked. */
  void leaveStepStarted() {
    inLeaveStep = true;
  }

  void stepFinished() {
    if (inLeaveStep) {
      inLeaveStep = false;
      leaveStepDone.countDown();
    }
  }

  /** Tracks a message until its send ends, if it is sent in the leave step. */
  Consumer<Optional<String>> trackSend(Consumer<Optional<String>> endListener) {
    if (!inLeaveStep) {
      return endListener;
    }
    pendingSends.incrementAndGet();
    return why -> {
      pendingSends.decrementAndGet();
      endListener.accept(why);
    };
  }

  /**
   * Waits until the leave step and its sends have ended, the node has terminated, or the timeout is
   * over.
   */
  void await(BooleanSupplier terminated) {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS);
    try {
      while ((leaveStepDone.getCount() > 0 || pendingSends.get() > 0)
          && !terminated.getAsBoolean()
          && System.nanoTime() < until) {
        Thread.sleep(POLL_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
