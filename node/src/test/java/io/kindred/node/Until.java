package io.kindred.node;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for something that happens on another thread. */
public final class Until {
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(30);

  private Until() {}

  /** Polls a condition; returns whether it came true before the timeout. */
  public static boolean comesTrue(BooleanSupplier condition) throws InterruptedException {
    long until = System.nanoTime() + MOST_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > until) {
        return false;
      }
      Thread.sleep(5);
    }
    return true;
  }
}
