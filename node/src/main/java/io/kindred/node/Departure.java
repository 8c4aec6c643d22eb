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
final class Departure {
  private static final long MOST_MILLIS = 2_000;
  private static final int MILLIS_BETWEEN_LOOKS = 10;

  private final CountDownLatch left = new CountDownLatch(1);
  private final AtomicInteger underWay = new AtomicInteger();
  private volatile boolean leaving;

  /** The peer was told to leave; what it sends until the end of that step is a farewell. */
  void begins() {
    leaving = true;
  }

  void hasStepped() {
    if (leaving) {
      leaving = false;
      left.countDown();
    }
  }

  /** Keeps count of a message if it is a farewell. */
  Consumer<Optional<String>> counted(Consumer<Optional<String>> ended) {
    if (!leaving) {
      return ended;
    }
    underWay.incrementAndGet();
    return why -> {
      underWay.decrementAndGet();
      ended.accept(why);
    };
  }

  /** Waits for the farewells, or until the node is over anyway. */
  void await(BooleanSupplier over) {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MOST_MILLIS);
    try {
      while ((left.getCount() > 0 || underWay.get() > 0)
          && !over.getAsBoolean()
          && System.nanoTime() < until) {
        Thread.sleep(MILLIS_BETWEEN_LOOKS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
