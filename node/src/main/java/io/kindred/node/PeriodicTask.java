package io.kindred.node;

import io.kindred.node.log.NodeLog;
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
  private final NodeLog log;
  private boolean failing;

  private PeriodicTask(String name, Runnable work, NodeLog log) {
    this.name = name;
    this.work = work;
    this.log = log;
  }

  static void schedule(
      ScheduledExecutorService timers, long millis, String name, Runnable work, NodeLog log) {
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
            "periodic-task-failed",
            "{} failed and will be retried: {}",
            name,
            broken.toString(),
            broken);
      }
      failing = true;
    }
  }
}
