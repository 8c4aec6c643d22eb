package io.kindred.node;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Component;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Ticks;
import io.kindred.node.measure.NodeMeasurements;
import io.kindred.runtime.Workers;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Computes the tickets of the peer on worker threads, at the pace of the network's rounds. */
final class Computations implements AutoCloseable {
  private final NodePlan plan;
  private final ScheduledExecutorService timers;
  private final PendingEvents events;
  private final ExecutorService threads;
  private final Workers workers;
  private final RoundPace pace;
  private final NodeMeasurements measurements;
  private long lastRoundTick;

  Computations(
      NodePlan plan,
      ScheduledExecutorService timers,
      PendingEvents events,
      NodeMeasurements measurements) {
    this.measurements = measurements;
    this.plan = plan;
    this.timers = timers;
    this.events = events;
    threads =
        Executors.newFixedThreadPool(
            plan.computing().workers(),
            Thread.ofPlatform().daemon().name("node-worker-", 0).factory());
    workers = new Workers(threads, plan.computing().trainers(), System::nanoTime);
    pace = new RoundPace(plan.computing().leastRoundSeconds());
  }

  /** A round is finished: the next one begins at once, or when its time has come. */
  void roundFinished(long tick) {
    measurements.round((tick - lastRoundTick) / (double) Ticks.ofSeconds(1));
    lastRoundTick = tick;
    pace.roundFinished(tick);
  }

  /** The first round begins. */
  void started(long tick) {
    lastRoundTick = tick;
    pace.started(tick);
  }

  /** Computes a ticket; the result becomes an event for the machine that asked. */
  void submit(Component component, Effect.Compute compute, long now) {
    Ticket.Kind kind = compute.work().kind();
    if (!plan.peerFactory().ticketKinds().contains(kind)) {
      throw new IllegalStateException(
          "the method asks for %s, which is not among its declared needs %s"
              .formatted(kind, plan.peerFactory().ticketKinds()));
    }
    try {
      long delay = pace.delay(now);
      if (delay > 0) {
        Future<?> _ =
            timers.schedule(() -> perform(component, compute), delay, TimeUnit.MICROSECONDS);
      } else {
        perform(component, compute);
      }
    } catch (RejectedExecutionException closing) {
      // The node is shutting down, so the result is not needed.
    }
  }

  private void perform(Component component, Effect.Compute compute) {
    long began = System.nanoTime();
    workers.submit(
        new PeerId(plan.number()),
        compute.work(),
        result -> {
          measurements.ticket(compute.work().kind(), System.nanoTime() - began);
          events.add(component, tick -> new Event.Computed(tick, compute.ticket(), result));
        },
        this::failed);
  }

  /** A failed computation is our bug or a diverged model; either way the peer cannot go on. */
  private void failed(Throwable broken) {
    events.add(
        tick -> {
          throw new IllegalStateException(broken.getMessage(), broken);
        });
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
