package io.kindred.studies.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.config.Named;
import io.kindred.environment.fault.Faults;
import io.kindred.learning.data.DataFiles;
import io.kindred.methods.catalogue.Methods;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.runtime.config.GridCell;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.json.Json;
import io.kindred.studies.overlay.OverlayFuzzCase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FuzzerTest {
  private static List<Experiment> scenario(String name, String... assignments) throws IOException {
    return ExperimentFile.of(
            ConfigFile.parse(name, Scenarios.text(name)), Optional.empty(), List.of(assignments))
        .cells()
        .stream()
        .map(GridCell::experiment)
        .toList();
  }

  private static SortedMap<Long, FuzzFailure> fuzz(Experiment experiment, long from, long to) {
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      return new Fuzzer(pool, DataFiles.NONE).run(experiment, from, to, found -> {}, () -> false);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "mixed, 15",
    "methods, 2",
    "churn, 8",
    "server, 6",
    "lossy, 3",
    "splits, 3",
    "slow, 3",
    "radio, 3",
    "hierarchy, 15"
  })
  void theMethodsSurviveTheBuiltInScenarios(String name, int seeds) throws IOException {
    for (Experiment experiment : scenario(name)) {
      assertThat(fuzz(experiment, 1, seeds)).as("%s", experiment.method()).isEmpty();
    }
  }

  /** Each in all its forms; centralized has no network, and so no faults. */
  @Test
  void theScenariosContainEveryMethod() throws IOException {
    SortedSet<String> tested = new TreeSet<>();
    for (String name : List.of("methods", "server", "hierarchy")) {
      for (Experiment experiment : scenario(name)) {
        tested.add(experiment.method().getClass().getAnnotation(Named.class).value());
      }
    }
    SortedSet<String> all = new TreeSet<>(Methods.ALL.names());
    all.remove("centralized");
    assertThat(tested).containsExactlyElementsOf(all);
  }

  /**
   * A part of the scenario: every method, every behaviour and every rule, but not each with each.
   */
  @Test
  void honestPeersKeepEveryInvariantAmongHostileOnes() throws IOException {
    List<Experiment> experiments = scenario("hostile");
    for (int i = 0; i < experiments.size(); i += 7) {
      Experiment experiment = experiments.get(i);
      assertThat(fuzz(experiment, 1 + i, 1 + i))
          .as("%s, %s, %s", experiment.method(), experiment.adversaries(), experiment.robust())
          .isEmpty();
    }
  }

  @Test
  void hierarchicalLearningGoesOnWhileClientsCrash() throws IOException {
    // Seed 5 stopped for good in round 17 when a crash earned a strike and strikes never expired.
    assertThat(fuzz(scenario("crashes").getFirst(), 4, 6)).isEmpty();
  }

  @Test
  void hierarchicalLearningGoesOnWhileCoordinatorsAreLost() throws IOException {
    for (Experiment experiment : scenario("coordinator")) {
      assertThat(fuzz(experiment, 3, 6)).as("%s", experiment.method()).isEmpty();
    }
  }

  @Test
  void clustersThatAreNeverFormedAgainAreFound() throws IOException {
    Experiment crashes = scenario("crashes", "faults.untilSeconds=0").getFirst();

    SortedMap<Long, FuzzFailure> found = fuzz(crashes.with(new StopsAfterCrash()), 1, 3);

    assertThat(found).isNotEmpty();
    assertThat(found.values()).extracting(FuzzFailure::what).containsOnly("LearningGoesOn");
  }

  @Test
  void theOverlayMendsItself() throws IOException {
    OverlayFuzzCase fuzzCase = OverlayFuzzCheck.parseCase("overlay", Scenarios.text("overlay"));
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      assertThat(new Fuzzer(pool, DataFiles.NONE).run(fuzzCase, 1, 6, found -> {}, () -> false))
          .isEmpty();
    }
  }

  @Test
  void anOverlayThatHasNoTimeIsFoundAndReplayed() throws IOException {
    OverlayFuzzCase hasty =
        OverlayFuzzCheck.parseCase(
            "overlay", Scenarios.text("overlay").replace("healSeconds: 60", "healSeconds: 0.001"));
    SortedMap<Long, FuzzFailure> found;
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      found = new Fuzzer(pool, DataFiles.NONE).run(hasty, 1, 4, failure -> {}, () -> false);
    }
    assertThat(found).isNotEmpty();
    FuzzFailure first = Objects.requireNonNull(found.get(found.firstKey()));
    assertThat(first.transcript()).isNotEmpty();
    FuzzFailure again =
        new OverlayFuzzCheck(OverlayFuzzCheck.parseCase("f.json", first.configuration()))
            .run((event, line) -> {})
            .orElseThrow();
    assertThat(again.line()).isEqualTo(first.line());
  }

  private static Experiment planted() throws IOException {
    Experiment any = scenario("mixed", "faults.loss=0", "faults.crashes=0").getFirst();
    return any.with(new CountsTwice());
  }

  @Test
  void aMessageThatIsCountedTwiceIsFoundAndReplayed() throws IOException {
    SortedMap<Long, FuzzFailure> found = fuzz(planted(), 1, 30);
    assertThat(found).isNotEmpty();
    assertThat(found.values())
        .anySatisfy(failure -> assertThat(failure.what()).isEqualTo("MixturesSumToOne"));
    long seed = found.firstKey();
    FuzzFailure first = Objects.requireNonNull(found.get(seed));
    assertThat(first.transcript()).isNotEmpty();

    List<String> lines = new ArrayList<>();
    FuzzFailure again =
        new ExperimentFuzzCheck(Fuzzer.withSeed(planted(), seed), DataFiles.NONE)
            .run((event, line) -> lines.add(line))
            .orElseThrow();
    assertThat(again.line()).isEqualTo(first.line());
    assertThat(lines).endsWith(first.transcript().toArray(String[]::new));
  }

  @Test
  void whatIsWrittenDownReplaysTheSameRun() throws IOException {
    Experiment experiment = Fuzzer.withSeed(scenario("mixed").getFirst(), 7);
    FuzzFailure written =
        new FuzzFailure("X", "y", 3, ExperimentFile.resolvedYaml(experiment), List.of("z"));
    FuzzFailure read = FuzzFailure.parse("f.json", Json.document(written));
    assertThat(read.line()).isEqualTo(written.line());
    assertThat(ExperimentFuzzCheck.parseExperiment("f.json", read.configuration()))
        .isEqualTo(experiment);
  }

  @Test
  void everySeedDrawsFaultsOfItsOwnBelowTheScenarios() throws IOException {
    Faults most = scenario("mixed").getFirst().faults();
    int without = 0;
    for (long seed = 0; seed < 300; seed++) {
      Faults drawn = Fuzzer.withSeed(scenario("mixed").getFirst(), seed).faults();
      assertThat(drawn.loss()).isBetween(0.0, most.loss());
      assertThat(drawn.cuts()).isBetween(0.0, most.cuts());
      assertThat(drawn.untilSeconds()).isEqualTo(most.untilSeconds());
      without += drawn.loss() == 0 ? 1 : 0;
    }
    assertThat(without).isBetween(70, 130);
  }
}
