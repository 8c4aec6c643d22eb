package io.kindred.runtime;

import io.kindred.core.compute.PureFunction;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Weights;
import io.kindred.learning.training.Trainer;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs work on the threads of an executor, each piece with a trainer of its own. Neither the
 * threads nor the clock can influence a result, because work is pure. Both shells compute tickets
 * here: a simulator waits for each result by its future when its virtual time has come, a node is
 * called back when a result is there.
 */
public final class Workers {
  /** The activities whose time is measured. */
  public enum Activity {
    TRAINING,
    EVALUATION,
    MIXING,
    OTHER
  }

  private final Executor executor;
  private final Supplier<Trainer> newTrainer;
  private final LongSupplier nanoClock;
  private final ConcurrentLinkedQueue<Trainer> idle = new ConcurrentLinkedQueue<>();
  private final LongAdder waitedNanos = new LongAdder();
  private final Map<Activity, LongAdder> nanos = new EnumMap<>(Activity.class);

  public Workers(Executor executor, Supplier<Trainer> newTrainer, LongSupplier nanoClock) {
    this.executor = executor;
    this.newTrainer = newTrainer;
    this.nanoClock = nanoClock;
    for (Activity activity : Activity.values()) {
      nanos.put(activity, new LongAdder());
    }
  }

  /** Computes a ticket of a peer on a thread of the executor. */
  public Future<Result> submit(PeerId peer, Ticket ticket) {
    return submit(activityOf(ticket), () -> compute(peer, ticket));
  }

  /**
   * Computes a ticket of a peer at once on the calling thread, for work that takes less time than
   * handing it over.
   */
  public Future<Result> runInline(PeerId peer, Ticket ticket) {
    try {
      return CompletableFuture.completedFuture(
          perform(activityOf(ticket), () -> compute(peer, ticket)));
    } catch (RuntimeException failure) {
      return CompletableFuture.failedFuture(failure);
    }
  }

  /**
   * Computes a ticket of a peer on a thread of the executor, which then calls one of the listeners.
   */
  public void submit(
      PeerId peer, Ticket ticket, Consumer<Result> finished, Consumer<Throwable> failed) {
    executor.execute(
        () -> {
          try {
            finished.accept(perform(activityOf(ticket), () -> compute(peer, ticket)));
          } catch (RuntimeException | Error broken) {
            failed.accept(broken);
          }
        });
  }

  private Result compute(PeerId peer, Ticket ticket) {
    // A pure function needs no trainer, which may be expensive to create.
    Result result =
        ticket instanceof Ticket.Call(PureFunction function)
            ? new Result.Answered(function.apply())
            : withTrainer(trainer -> trainer.perform(peer, ticket));
    switch (result) {
      case Result.Trained trained -> {
        precomputeDigest(trained.weights());
        trained.velocity().ifPresent(Workers::precomputeDigest);
      }
      case Result.Mixed mixed -> precomputeDigest(mixed.weights());
      case Result.Losses _, Result.Outputs _, Result.Answered _ -> {}
    }
    return result;
  }

  /**
   * Computes the digest and the finiteness of a vector on the worker, so that the thread that steps
   * peers does not have to compute them.
   */
  @SuppressWarnings("ReturnValueIgnored") // the vector caches both
  private static void precomputeDigest(Weights weights) {
    weights.digest();
    weights.isFinite();
  }

  private static Activity activityOf(Ticket ticket) {
    return switch (ticket) {
      case Ticket.Train _ -> Activity.TRAINING;
      case Ticket.Mix _ -> Activity.MIXING;
      case Ticket.Losses _, Ticket.Outputs _, Ticket.Call _ -> Activity.OTHER;
    };
  }

  public <T> Future<T> submit(Activity activity, Function<Trainer, T> work) {
    return submit(activity, () -> withTrainer(work));
  }

  /** Work that needs no trainer. */
  public <T> Future<T> submit(Activity activity, Supplier<T> work) {
    return CompletableFuture.supplyAsync(() -> perform(activity, work), executor);
  }

  /** Work that needs no trainer, on a new thread: it does not wait for a thread of the executor. */
  public <T> Future<T> submitOnNewThread(Activity activity, Supplier<T> work) {
    return CompletableFuture.supplyAsync(
        () -> perform(activity, work), Thread.ofPlatform().daemon()::start);
  }

  private <T> T withTrainer(Function<Trainer, T> work) {
    @Nullable Trainer reused = idle.poll();
    Trainer trainer = reused == null ? newTrainer.get() : reused;
    try {
      return work.apply(trainer);
    } finally {
      idle.add(trainer);
    }
  }

  private <T> T perform(Activity activity, Supplier<T> work) {
    long start = nanoClock.getAsLong();
    try {
      return work.get();
    } finally {
      count(activity, nanoClock.getAsLong() - start);
    }
  }

  /** Waits for work; an exception of the work is thrown here. */
  public <T> T await(Future<T> work) {
    long start = nanoClock.getAsLong();
    try {
      return ((CompletableFuture<T>) work).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof OutOfMemoryError full) {
        throw full;
      }
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    } finally {
      waitedNanos.add(nanoClock.getAsLong() - start);
    }
  }

  /** Seconds that callers of {@link #await} spent waiting. */
  public double waitedSeconds() {
    return waitedNanos.sum() / 1e9;
  }

  /** Seconds of all threads together. */
  public double seconds(Activity activity) {
    return counter(activity).sum() / 1e9;
  }

  private void count(Activity activity, long elapsed) {
    counter(activity).add(elapsed);
  }

  private LongAdder counter(Activity activity) {
    LongAdder counter = nanos.get(activity);
    if (counter == null) {
      throw new IllegalStateException("no counter for " + activity);
    }
    return counter;
  }
}
