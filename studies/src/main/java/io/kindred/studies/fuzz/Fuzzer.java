package io.kindred.studies.fuzz;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.fault.Faults;
import io.kindred.learning.data.DataFiles;
import io.kindred.runtime.config.Experiment;
import io.kindred.studies.discovery.DiscoveryFuzzCase;
import io.kindred.studies.overlay.OverlayFuzzCase;
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

/** Runs a scenario with many seeds, each with faults of its own, and collects the failures. */
public final class Fuzzer {
  /** Shows the progress of the fuzzer. */
  public interface ProgressDisplay {
    void caseFinished(Optional<FuzzFailure> found);
  }

  private final ExecutorService pool;
  private final DataFiles data;

  public Fuzzer(ExecutorService pool, DataFiles data) {
    this.pool = pool;
    this.data = data;
  }

  /**
   * Fuzzes an experiment; returns the failures by seed. Seeds not started before a stop are left
   * out.
   */
  public SortedMap<Long, FuzzFailure> run(
      Experiment scenario,
      long from,
      long to,
      ProgressDisplay progressDisplay,
      BooleanSupplier stop) {
    return run(
        seed -> {
          Experiment experiment = withSeed(scenario, seed);
          return () -> new ExperimentFuzzCheck(experiment, data).run();
        },
        from,
        to,
        progressDisplay,
        stop);
  }

  /** Fuzzes an overlay without a method. */
  public SortedMap<Long, FuzzFailure> run(
      OverlayFuzzCase scenario,
      long from,
      long to,
      ProgressDisplay progressDisplay,
      BooleanSupplier stop) {
    return run(
        seed -> {
          OverlayFuzzCase fuzzCase = scenario.withSeed(seed, withSeed(scenario.faults(), seed));
          return () -> new OverlayFuzzCheck(fuzzCase).run();
        },
        from,
        to,
        progressDisplay,
        stop);
  }

  /** Fuzzes gossiped views without a method. */
  public SortedMap<Long, FuzzFailure> run(
      DiscoveryFuzzCase scenario,
      long from,
      long to,
      ProgressDisplay progressDisplay,
      BooleanSupplier stop) {
    return run(
        seed -> {
          DiscoveryFuzzCase fuzzCase = scenario.withSeed(seed);
          return () -> new DiscoveryFuzzCheck(fuzzCase).run();
        },
        from,
        to,
        progressDisplay,
        stop);
  }

  private SortedMap<Long, FuzzFailure> run(
      LongFunction<Supplier<Optional<FuzzFailure>>> scenario,
      long from,
      long to,
      ProgressDisplay progressDisplay,
      BooleanSupplier stop) {
    List<Long> seeds = new ArrayList<>();
    List<Future<Optional<FuzzFailure>>> cases = new ArrayList<>();
    for (long seed = from; seed <= to; seed++) {
      Supplier<Optional<FuzzFailure>> each = scenario.apply(seed);
      seeds.add(seed);
      cases.add(pool.submit(() -> stop.getAsBoolean() ? Optional.empty() : each.get()));
    }
    SortedMap<Long, FuzzFailure> found = new TreeMap<>();
    for (int i = 0; i < seeds.size(); i++) {
      Optional<FuzzFailure> failure = outcome(cases.get(i));
      long seed = seeds.get(i);
      failure.ifPresent(each -> found.put(seed, each));
      progressDisplay.caseFinished(failure);
    }
    return found;
  }

  private static Optional<FuzzFailure> outcome(Future<Optional<FuzzFailure>> future) {
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
   * The scenario with the given seed. Each fault is left out in a third of the seeds and drawn up
   * to the scenario's rate in the others: bugs hide each other, and always combining all faults
   * finds fewer.
   */
  public static Experiment withSeed(Experiment scenario, long seed) {
    return scenario.with(seed, withSeed(scenario.faults(), seed));
  }

  private static Faults withSeed(Faults most, long seed) {
    RandomStream random = new RandomStreams(seed).stream(Purpose.FAULTS, -2, 0);
    return Faults.builder()
        .loss(drawRate(most.loss(), random))
        .duplicate(drawRate(most.duplicate(), random))
        .delay(drawRate(most.delay(), random))
        .delaySeconds(most.delaySeconds())
        .corrupt(drawRate(most.corrupt(), random))
        .misreport(drawRate(most.misreport(), random))
        .crashes(drawRate(most.crashes(), random))
        .forgetful(drawRate(most.forgetful(), random))
        .pauses(drawRate(most.pauses(), random))
        .slow(drawRate(most.slow(), random))
        .slowdown(most.slowdown())
        .splits(drawRate(most.splits(), random))
        .cuts(drawRate(most.cuts(), random))
        .drift(drawRate(most.drift(), random))
        // Drawn only if the scenario has server crashes, so that other scenarios keep their draws.
        .serverCrashes(most.serverCrashes() == 0 ? 0 : drawRate(most.serverCrashes(), random))
        .serverStopSeconds(
            most.serverStopSeconds() == 0 ? 0 : drawRate(most.serverStopSeconds(), random))
        .untilSeconds(most.untilSeconds())
        .build();
  }

  private static double drawRate(double most, RandomStream random) {
    boolean left = random.nextInt(3) == 0;
    double drawn = random.uniform(0, most);
    // Rounded, so that the configuration written for a replay is short and exact.
    return left ? 0 : Math.round(drawn * 1e6) / 1e6;
  }
}
