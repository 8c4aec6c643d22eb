package io.kindred.simulator;

import io.kindred.core.compute.PureFunction;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Weights;
import io.kindred.learning.training.Trainer;
import io.kindred.runtime.Workers;
import io.kindred.simulator.state.EventKey;
import io.kindred.simulator.state.QueuedEvent;
import io.kindred.simulator.state.SimulationSpec;
import java.util.PriorityQueue;
import java.util.concurrent.Future;
import java.util.function.Function;
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
    Workers.Activity activity = purposeOf(work.work());
    boolean tiny = spec.operations().applyAsLong(peer, work.work()) < MAX_INLINE_OPERATIONS;
    Supplier<Future<Result>> start;
    if (work.work() instanceof Ticket.Call(PureFunction function)) {
      Supplier<Result> call = () -> new Result.Answered(function.apply());
      start = () -> tiny ? workers.runInline(activity, call) : workers.submit(activity, call);
    } else {
      Function<Trainer, Result> task = trainer -> compute(trainer, peer, work);
      start = () -> tiny ? workers.runInline(activity, task) : workers.submit(activity, task);
    }
    Computation computation = new Computation(key, start);
    waiting.add(computation);
    startWaiting();
    return computation;
  }

  private static Result compute(Trainer trainer, PeerId peer, QueuedEvent.Work work) {
    Result result = trainer.perform(peer, work.work());
    switch (result) {
      case Result.Trained trained -> precomputeDigest(trained.weights());
      case Result.Mixed mixed -> precomputeDigest(mixed.weights());
      case Result.Losses _, Result.Outputs _, Result.Answered _ -> {}
    }
    return result;
  }

  /**
   * Computes on the worker what every vector is asked for, so that the thread that steps peers does
   * not have to.
   */
  @SuppressWarnings("ReturnValueIgnored") // the vector caches both
  private static void precomputeDigest(Weights weights) {
    weights.digest();
    weights.isFinite();
  }

  private static Workers.Activity purposeOf(Ticket ticket) {
    return switch (ticket) {
      case Ticket.Train _ -> Workers.Activity.TRAINING;
      case Ticket.Mix _ -> Workers.Activity.MIXING;
      case Ticket.Losses _, Ticket.Outputs _, Ticket.Call _ -> Workers.Activity.OTHER;
    };
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
