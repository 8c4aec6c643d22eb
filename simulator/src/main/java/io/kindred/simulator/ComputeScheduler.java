package io.kindred.simulator;

import io.kindred.core.compute.Result;
import io.kindred.core.peer.PeerId;
import io.kindred.runtime.Workers;
import io.kindred.simulator.state.EventKey;
import io.kindred.simulator.state.QueuedEvent;
import io.kindred.simulator.state.SimulationSpec;
import java.util.PriorityQueue;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets workers compute ahead of virtual time, but not too far: each result that waits for its
 * virtual time holds a model. The work that is needed first starts first.
 */
final class ComputeScheduler {
  /** Results being computed or waiting; far more than workers, so that no worker is ever idle. */
  private static final int MAX_IN_FLIGHT = 64;

  /** Work of fewer arithmetic operations is done sooner than another thread has woken up. */
  private static final long MAX_INLINE_OPERATIONS = 100_000;

  /** Work that may not have started yet. */
  static final class Computation implements Comparable<Computation> {
    private final EventKey key;
    private final Supplier<Future<Result>> work;
    private @Nullable Future<Result> future;
    private boolean cancelled;

    private Computation(EventKey key, Supplier<Future<Result>> work) {
      this.key = key;
      this.work = work;
    }

    @Override
    public int compareTo(Computation other) {
      return key.compareTo(other.key);
    }

    private Future<Result> startIfNeeded() {
      Future<Result> known = future;
      if (known == null) {
        known = work.get();
        future = known;
      }
      return known;
    }
  }

  private final SimulationSpec spec;
  private final Workers workers;
  private final PriorityQueue<Computation> waiting = new PriorityQueue<>();
  private int inFlight;

  ComputeScheduler(SimulationSpec spec, Workers workers) {
    this.spec = spec;
    this.workers = workers;
  }

  Computation add(EventKey key, QueuedEvent.Work work) {
    PeerId peer = new PeerId(key.receiver());
    boolean tiny = spec.operations().applyAsLong(peer, work.work()) < MAX_INLINE_OPERATIONS;
    Supplier<Future<Result>> start =
        () -> tiny ? workers.runInline(peer, work.work()) : workers.submit(peer, work.work());
    Computation computation = new Computation(key, start);
    waiting.add(computation);
    startWaiting();
    return computation;
  }

  private void startWaiting() {
    while (inFlight < MAX_IN_FLIGHT && !waiting.isEmpty()) {
      Computation next = waiting.remove();
      if (next.future == null && !next.cancelled) {
        next.future = next.work.get();
        inFlight++;
      }
    }
  }

  /** Waits for the result of work whose virtual time has come. */
  Result await(Computation computation) {
    boolean counted = computation.future != null;
    Future<Result> result = computation.startIfNeeded();
    inFlight -= counted ? 1 : 0;
    startWaiting();
    return workers.await(result);
  }

  /** The result is no longer needed. */
  void cancel(Computation computation) {
    computation.cancelled = true;
    inFlight -= computation.future != null ? 1 : 0;
    startWaiting();
  }
}
