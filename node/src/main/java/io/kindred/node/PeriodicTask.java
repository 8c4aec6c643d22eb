package io.kindred.node;

import io.kindred.node.log.Log;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Work that repeats as long as a node runs. A timer silently drops a task that throws once; this
 * task logs the failure and runs again at its next interval.
 */
final class PeriodicTask implements Runnable {
  private final String name;
  private final Runnable work;
  private final Log log;
  private boolean failing;

  private PeriodicTask(String name, Runnable work, Log log) {
    this.name = name;
    this.work = work;
    this.log = log;
  }

  static void schedule(
      ScheduledExecutorService timers, long millis, String name, Runnable work, Log log) {
    Future<?> _ =
        timers.scheduleWithFixedDelay(
            new PeriodicTask(name, work, log), 0, millis, TimeUnit.MILLISECONDS);
  }

  /** Logs the first failure only, until the work succeeds again. */
  @Override
  public void run() {
    try {
      work.run();
      failing = false;
    } catch (RuntimeException | Error broken) {
      if (!failing) {
        log.warn(
            "periodic-task-failed", "%s failed and will be retried: %s".formatted(name, broken));
      }
      failing = true;
    }
  }
}
