package io.kindred.studies.fuzz;

import io.kindred.runtime.config.Experiment;
import io.kindred.storage.config.Binder;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.config.ConfigNode.Mapping;
import io.kindred.studies.discovery.DiscoveryFuzzCase;
import io.kindred.studies.discovery.DiscoveryFuzzRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Runs one network of gossiped views, first with faults and then without. */
public final class DiscoveryFuzzCheck {
  private static final Binder BINDER = new Binder(Experiment.CATALOGUES);
  private static final int LINES_KEPT = 60;

  /** A key that only discovery configurations have. */
  private static final String DISTINGUISHING_KEY = "quietRounds:";

  private final DiscoveryFuzzCase fuzzCase;

  public DiscoveryFuzzCheck(DiscoveryFuzzCase fuzzCase) {
    this.fuzzCase = fuzzCase;
  }

  /** Whether a configuration describes gossiped views rather than an experiment. */
  public static boolean isDiscoveryConfiguration(String configuration) {
    return configuration.contains(DISTINGUISHING_KEY);
  }

  public static DiscoveryFuzzCase parseCase(String name, String configuration) {
    return parseCase(ConfigFile.parse(name, configuration));
  }

  public static DiscoveryFuzzCase parseCase(Mapping tree) {
    return BINDER.bind(DiscoveryFuzzCase.class, tree);
  }

  /** Runs the network; returns the failure, if any, with its last rounds. */
  public Optional<FuzzFailure> run() {
    List<String> lines = new ArrayList<>();
    return run((round, line) -> lines.add(line))
        .map(
            failure ->
                new FuzzFailure(
                    failure.what(),
                    failure.problem(),
                    failure.event(),
                    failure.configuration(),
                    lines.subList(Math.max(0, lines.size() - LINES_KEPT), lines.size())));
  }

  /** Runs the network and writes a line for each round. */
  public Optional<FuzzFailure> run(BiConsumer<Long, String> out) {
    DiscoveryFuzzRun run = new DiscoveryFuzzRun(fuzzCase, out);
    try {
      return run.run().map(problem -> failure("NotRecovered", problem, run));
    } catch (RuntimeException crash) {
      return Optional.of(failure("Crash", "a peer failed: " + crash, run));
    }
  }

  private FuzzFailure failure(String what, String problem, DiscoveryFuzzRun run) {
    return new FuzzFailure(what, problem, run.rounds(), BINDER.toYaml(fuzzCase), List.of());
  }
}
