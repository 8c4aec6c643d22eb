package io.kindred.runtime;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A request to stop, such as Ctrl-C, that a run polls. The process ends only when the run has
 * written its checkpoint, or after a grace period when the run hangs.
 */
public final class StopSignal implements AutoCloseable {
  private static final long GRACE_SECONDS = 30;

  private final CountDownLatch requested = new CountDownLatch(1);
  private final CountDownLatch done = new CountDownLatch(1);

  /** Listens to the signals that end the process. */
  public static StopSignal ofProcess() {
    StopSignal signal = new StopSignal();
    Runtime.getRuntime().addShutdownHook(new Thread(signal::awaitEnd, "stop"));
    return signal;
  }

  private void awaitEnd() {
    request();
    try {
      if (!done.await(GRACE_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("kindred: the run did not stop in time; its last checkpoint is kept");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  public void request() {
    requested.countDown();
  }

  public boolean requested() {
    return requested.getCount() == 0;
  }

  /** Waits that long for a request; returns whether there is one. */
  public boolean await(long millis) throws InterruptedException {
    return requested.await(millis, TimeUnit.MILLISECONDS);
  }

  /** Everything is written; the process may end. */
  @Override
  public void close() {
    done.countDown();
  }
}
