package io.kindred.simulator;

import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.PeerId;
import io.kindred.runtime.ComputeBudget;
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
  private static final long SMALL_RESULT_BYTES = 1 << 14;

  /** An answer may be a signature with a tenth of the weights of a large model. */
  private static final long ANSWER_BYTES = 1 << 20;

  /** Work of fewer arithmetic operations is done sooner than another thread has woken up. */
  private static final long MAX_INLINE_OPERATIONS = 100_000;

  /** Work that may not have started yet. */
  static final class Computation implements Comparable<Computation> {
    private final EventKey key;
    private final Supplier<Future<Result>> work;
    private final long resultBytes;
    private @Nullable Future<Result> future;
    private boolean cancelled;

    private Computation(EventKey key, Supplier<Future<Result>> work, long resultBytes) {
      this.key = key;
      this.work = work;
      this.resultBytes = resultBytes;
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
  private final ComputeBudget budget;
  private long bytesInFlight;
  private int inFlight;

  ComputeScheduler(SimulationSpec spec, Workers workers, ComputeBudget budget) {
    this.spec = spec;
    this.workers = workers;
    this.budget = budget;
  }

  Computation add(EventKey key, QueuedEvent.Work work) {
    PeerId peer = new PeerId(key.receiver());
    boolean tiny = spec.operations().applyAsLong(peer, work.work()) < MAX_INLINE_OPERATIONS;
    Supplier<Future<Result>> start =
        () -> tiny ? workers.runInline(peer, work.work()) : workers.submit(peer, work.work());
    Computation computation = new Computation(key, start, resultBytes(work.work()));
    waiting.add(computation);
    startWaiting();
    return computation;
  }

  /** The models in the result of a ticket; an estimate for other results. */
  private static long resultBytes(Ticket ticket) {
    return switch (ticket) {
      case Ticket.Train train -> train.from().bytes() * (train.returnsVelocity() ? 2 : 1);
      case Ticket.Mix mix -> mix.mixture().parts().getFirst().weights().bytes();
      case Ticket.Losses _, Ticket.Outputs _ -> SMALL_RESULT_BYTES;
      case Ticket.Call _ -> ANSWER_BYTES;
    };
  }

  private void startWaiting() {
    while (!waiting.isEmpty()) {
      Computation next = waiting.element();
      boolean needed = next.future == null && !next.cancelled;
      if (needed
          && inFlight >= budget.leastTickets()
          && bytesInFlight + next.resultBytes > budget.mostResultBytes()) {
        return;
      }
      waiting.remove();
      if (needed) {
        next.future = next.work.get();
        inFlight++;
        bytesInFlight += next.resultBytes;
      }
    }
  }

  /** Waits for the result of work whose virtual time has come. */
  Result await(Computation computation) {
    boolean counted = computation.future != null;
    Future<Result> result = computation.startIfNeeded();
    if (counted) {
      release(computation);
    }
    startWaiting();
    return workers.await(result);
  }

  /** The result is no longer needed. */
  void cancel(Computation computation) {
    computation.cancelled = true;
    if (computation.future != null) {
      release(computation);
    }
    startWaiting();
  }

  private void release(Computation computation) {
    inFlight--;
    bytesInFlight -= computation.resultBytes;
  }
}
