package io.kindred.node;

import io.kindred.node.log.Log;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Work that is done again and again as long as a node lives. A timer drops what fails once, and
 * nobody would hear of it; here it is told, and tried again when its time comes.
 */
final class PeriodicTask implements Runnable {
  private final String name;
  private final Runnable work;
  private final Log log;
  private boolean failing;

  private PeriodicTask(String what, Runnable work, Log log) {
    this.name = what;
    this.work = work;
    this.log = log;
  }

  static void schedule(
      ScheduledExecutorService timers, long millis, String what, Runnable work, Log log) {
    Future<?> _ =
        timers.scheduleWithFixedDelay(
            new PeriodicTask(what, work, log), 0, millis, TimeUnit.MILLISECONDS);
  }

  /** Tells of the first failure only, until it works again. */
  @Override
  public void run() {
    try {
      work.run();
      failing = false;
    } catch (RuntimeException | Error broken) {
      if (!failing) {
        log.warn("routine-failed", "%s failed, and is tried again: %s".formatted(name, broken));
      }
      failing = true;
    }
  }
}
