package io.kindred.node;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.Event;
import io.kindred.node.measure.NodeMeasurements;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The events that a node has still to step, in the order of their arrival. Any thread may add one;
 * only the thread that owns the peer takes them.
 */
final class PendingEvents {
  /**
   * An event in the queue; it gets its tick when it is stepped.
   *
   * @param component the machine that the event is for; all machines if there is none
   */
  record PendingEvent(@Nullable Component component, LongFunction<Event> event, long addedNanos) {
    /** An event that is stepped at once. */
    PendingEvent(@Nullable Component component, LongFunction<Event> event) {
      this(component, event, System.nanoTime());
    }
  }

  private final BlockingQueue<PendingEvent> queue = new LinkedBlockingQueue<>();
  private final ScheduledExecutorService timers;
  private final NodeMeasurements measurements;

  PendingEvents(ScheduledExecutorService timers, NodeMeasurements measurements) {
    this.timers = timers;
    this.measurements = measurements;
  }

  /** Adds an event for all machines of the peer. */
  void add(LongFunction<Event> event) {
    queue.add(new PendingEvent(null, event));
  }

  /** Adds an event for one machine of the peer. */
  void add(Component component, LongFunction<Event> event) {
    queue.add(new PendingEvent(component, event));
  }

  /** Adds an event for one machine after some ticks; a tick is a microsecond. */
  void addAfter(long ticks, Component component, LongFunction<Event> event) {
    try {
      Future<?> _ = timers.schedule(() -> add(component, event), ticks, TimeUnit.MICROSECONDS);
    } catch (RejectedExecutionException closing) {
      // The node is shutting down, so the timer is not needed.
    }
  }

  /** Takes the next event; null if none comes within so many seconds. */
  @Nullable PendingEvent poll(int seconds) throws InterruptedException {
    PendingEvent next = queue.poll(seconds, TimeUnit.SECONDS);
    if (next != null) {
      measurements.waited(System.nanoTime() - next.addedNanos());
    }
    return next;
  }

  int size() {
    return queue.size();
  }
}
