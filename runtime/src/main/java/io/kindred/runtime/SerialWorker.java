package io.kindred.runtime;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Runs pieces of work one after another on a thread of its own, for work whose order matters and
 * that must not wait behind the work of peers. The thread ends when it has had nothing to do for a
 * while, so nobody needs to close this.
 */
public final class SerialWorker {
  private static final long IDLE_MILLIS = 50;

  private final int mostWaiting;
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private boolean isRunning;
  private boolean isBusy;
  private @Nullable Throwable failure;

  /** {@code mostWaiting} bounds the memory of work that waits. */
  public SerialWorker(int mostWaiting) {
    this.mostWaiting = mostWaiting;
  }

  /** Adds work; waits while too much of it waits. */
  public synchronized void add(Runnable work) {
    while (waiting.size() >= mostWaiting && failure == null) {
      pause(0);
    }
    throwFailure();
    waiting.add(work);
    if (!isRunning) {
      isRunning = true;
      Thread.ofPlatform().daemon().name("serial-worker").start(this::run);
    }
    notifyAll();
  }

  /** Waits until all work is done. A failure of the work is thrown here or by {@link #add}. */
  public synchronized void await() {
    while (failure == null && (isBusy || !waiting.isEmpty())) {
      pause(0);
    }
    throwFailure();
  }

  private void run() {
    for (Runnable work = next(); work != null; work = next()) {
      try {
        work.run();
      } catch (RuntimeException | Error broken) {
        fail(broken);
      }
    }
  }

  private synchronized void fail(Throwable broken) {
    failure = broken;
    waiting.clear();
  }

  /** The next work; null if there was none for a while, which ends the thread. */
  private synchronized @Nullable Runnable next() {
    isBusy = false;
    notifyAll();
    if (waiting.isEmpty()) {
      pause(IDLE_MILLIS);
    }
    Runnable work = waiting.poll();
    isBusy = work != null;
    isRunning = isBusy;
    notifyAll();
    return work;
  }

  /** Waits to be notified; zero means for any time. */
  @SuppressWarnings("WaitNotInLoop") // after it, every caller looks at the queue again
  private void pause(long millis) {
    try {
      wait(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for a serial worker", e);
    }
  }

  private void throwFailure() {
    if (failure instanceof RuntimeException broken) {
      throw broken;
    }
    if (failure instanceof Error broken) {
      throw broken;
    }
  }
}
