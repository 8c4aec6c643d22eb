package io.kindred.lab.fuzz;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.lab.experiment.Experiment;
import io.kindred.lab.overlay.Ordeal;
import io.kindred.learning.data.DataFiles;
import io.kindred.world.Faults;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/** Runs a scenario with many seeds, each with faults of its own, and collects what it finds. */
public final class Fuzz {
  /** Whoever shows how far it is. */
  public interface Display {
    void done(Optional<Failure> found);
  }

  private final ExecutorService pool;
  private final DataFiles data;

  public Fuzz(ExecutorService pool, DataFiles data) {
    this.pool = pool;
    this.data = data;
  }

  /** What was found, by seed; seeds that were not begun when asked to stop are left out. */
  public SortedMap<Long, Failure> run(
      Experiment scenario, long from, long to, Display display, BooleanSupplier stop) {
    return run(
        seed -> {
          Experiment experiment = seeded(scenario, seed);
          return () -> new Case(experiment, data).run();
        },
        from,
        to,
        display,
        stop);
  }

  /** The same for an overlay by itself. */
  public SortedMap<Long, Failure> run(
      Ordeal scenario, long from, long to, Display display, BooleanSupplier stop) {
    return run(
        seed -> {
          Ordeal ordeal = scenario.seeded(seed, seeded(scenario.faults(), seed));
          return () -> new OverlayCase(ordeal).run();
        },
        from,
        to,
        display,
        stop);
  }

  private SortedMap<Long, Failure> run(
      LongFunction<Supplier<Optional<Failure>>> scenario,
      long from,
      long to,
      Display display,
      BooleanSupplier stop) {
    List<Long> seeds = new ArrayList<>();
    List<Future<Optional<Failure>>> cases = new ArrayList<>();
    for (long seed = from; seed <= to; seed++) {
      Supplier<Optional<Failure>> each = scenario.apply(seed);
      seeds.add(seed);
      cases.add(pool.submit(() -> stop.getAsBoolean() ? Optional.empty() : each.get()));
    }
    SortedMap<Long, Failure> found = new TreeMap<>();
    for (int i = 0; i < seeds.size(); i++) {
      Optional<Failure> failure = outcome(cases.get(i));
      long seed = seeds.get(i);
      failure.ifPresent(each -> found.put(seed, each));
      display.done(failure);
    }
    return found;
  }

  private static Optional<Failure> outcome(Future<Optional<Failure>> future) {
    try {
      return future.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while fuzzing", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
    }
  }

  /**
   * The scenario with a seed of its own. Each fault is left out in a third of the seeds and drawn
   * up to the scenario's rate in the others: bugs hide behind each other, and a mix of everything
   * finds fewer.
   */
  public static Experiment seeded(Experiment scenario, long seed) {
    return scenario.with(seed, seeded(scenario.faults(), seed));
  }

  private static Faults seeded(Faults most, long seed) {
    RandomStream random = new RandomStreams(seed).stream(Purpose.FAULTS, -2, 0);
    return new Faults(
        some(most.loss(), random),
        some(most.duplicate(), random),
        some(most.delay(), random),
        most.delaySeconds(),
        some(most.corrupt(), random),
        some(most.misreport(), random),
        some(most.crashes(), random),
        some(most.forgetful(), random),
        some(most.pauses(), random),
        some(most.slow(), random),
        most.slowdown(),
        some(most.splits(), random),
        some(most.cuts(), random),
        some(most.drift(), random),
        // Drawn only where asked for, so that seeds of other scenarios stay what they were.
        most.serverCrashes() == 0 ? 0 : some(most.serverCrashes(), random),
        most.untilSeconds());
  }

  private static double some(double most, RandomStream random) {
    boolean left = random.nextInt(3) == 0;
    double drawn = random.uniform(0, most);
    // Rounded, so that what is written down for a replay is short and exactly this.
    return left ? 0 : Math.round(drawn * 1e6) / 1e6;
  }
}
