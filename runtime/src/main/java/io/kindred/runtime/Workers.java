package io.kindred.runtime;

import io.kindred.learning.training.Trainer;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs work on the threads of an executor, each piece with a trainer of its own. Neither the
 * threads nor the clock can influence a result, because work is pure and callers wait for each
 * piece by its future.
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

  public <T> Future<T> submit(Activity activity, Function<Trainer, T> work) {
    return submit(activity, () -> withTrainer(work));
  }

  /** Work that needs no trainer. */
  public <T> Future<T> submit(Activity activity, Supplier<T> work) {
    return CompletableFuture.supplyAsync(() -> perform(activity, work), executor);
  }

  /**
   * Does work at once on the calling thread, for work that takes less time than handing it over.
   */
  public <T> Future<T> runInline(Activity activity, Function<Trainer, T> work) {
    return runInline(activity, () -> withTrainer(work));
  }

  /** Does work at once that needs no trainer. */
  public <T> Future<T> runInline(Activity activity, Supplier<T> work) {
    try {
      return CompletableFuture.completedFuture(perform(activity, work));
    } catch (RuntimeException failure) {
      return CompletableFuture.failedFuture(failure);
    }
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
