package io.kindred.simulator;

import io.kindred.core.PeerId;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.PureFunction;
import io.kindred.core.work.Result;
import io.kindred.core.work.Ticket;
import io.kindred.learning.training.Trainer;
import java.util.PriorityQueue;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets workers run ahead of virtual time, but not too far: each result that waits for its time
 * holds a model. What is needed first is begun first.
 */
final class Ahead {
  /** Results under way or waiting; far more than workers, so that none of them is ever idle. */
  private static final int MOST = 64;

  /** Arithmetic operations that are done sooner than another thread has woken up. */
  private static final long HARDLY_WORK = 100_000;

  /** Work that may not have begun. */
  static final class Computation implements Comparable<Computation> {
    private final Key key;
    private final Supplier<Future<Result>> work;
    private @Nullable Future<Result> future;
    private boolean dropped;

    private Computation(Key key, Supplier<Future<Result>> work) {
      this.key = key;
      this.work = work;
    }

    @Override
    public int compareTo(Computation other) {
      return key.compareTo(other.key);
    }

    private Future<Result> begin() {
      Future<Result> known = future;
      if (known == null) {
        known = work.get();
        future = known;
      }
      return known;
    }
  }

  private final Scene scene;
  private final Workers workers;
  private final PriorityQueue<Computation> waiting = new PriorityQueue<>();
  private int open;

  Ahead(Scene scene, Workers workers) {
    this.scene = scene;
    this.workers = workers;
  }

  Computation add(Key key, Pending.Work work) {
    PeerId peer = new PeerId(key.receiver());
    Workers.Purpose purpose = purposeOf(work.work());
    boolean tiny = scene.operations().applyAsLong(peer, work.work()) < HARDLY_WORK;
    Supplier<Future<Result>> start;
    if (work.work() instanceof Ticket.Call(PureFunction function)) {
      Supplier<Result> call = () -> new Result.Answered(function.apply());
      start = () -> tiny ? workers.now(purpose, call) : workers.submit(purpose, call);
    } else {
      Function<Trainer, Result> task = trainer -> compute(trainer, peer, work);
      start = () -> tiny ? workers.now(purpose, task) : workers.submit(purpose, task);
    }
    Computation computation = new Computation(key, start);
    waiting.add(computation);
    fill();
    return computation;
  }

  private static Result compute(Trainer trainer, PeerId peer, Pending.Work work) {
    Result result = trainer.perform(peer, work.work());
    switch (result) {
      case Result.Trained trained -> lookAt(trained.weights());
      case Result.Mixed mixed -> lookAt(mixed.weights());
      case Result.Losses _, Result.Outputs _, Result.Answered _ -> {}
    }
    return result;
  }

  /**
   * What is asked of every vector belongs to the work: the thread that steps peers finds it done.
   */
  @SuppressWarnings("ReturnValueIgnored") // kept by the vector itself
  private static void lookAt(Weights weights) {
    weights.digest();
    weights.isFinite();
  }

  private static Workers.Purpose purposeOf(Ticket ticket) {
    return switch (ticket) {
      case Ticket.Train _ -> Workers.Purpose.TRAINING;
      case Ticket.Mix _ -> Workers.Purpose.MIXING;
      case Ticket.Losses _, Ticket.Outputs _, Ticket.Call _ -> Workers.Purpose.OTHER;
    };
  }

  private void fill() {
    while (open < MOST && !waiting.isEmpty()) {
      Computation next = waiting.remove();
      if (next.future == null && !next.dropped) {
        next.future = next.work.get();
        open++;
      }
    }
  }

  /** The result of work whose time has come. */
  Future<Result> take(Computation computation) {
    boolean counted = computation.future != null;
    Future<Result> result = computation.begin();
    open -= counted ? 1 : 0;
    fill();
    return result;
  }

  /** Nobody wants the result any more. */
  void drop(Computation computation) {
    computation.dropped = true;
    open -= computation.future != null ? 1 : 0;
    fill();
  }
}
