package io.kindred.lab.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.files.config.ConfigFile;
import io.kindred.files.json.Json;
import io.kindred.lab.experiment.Experiment;
import io.kindred.lab.experiment.ExperimentFile;
import io.kindred.lab.experiment.GridCell;
import io.kindred.lab.overlay.Ordeal;
import io.kindred.learning.data.DataFiles;
import io.kindred.world.Faults;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FuzzTest {
  private static String text(String name) throws IOException {
    try (InputStream in =
        FuzzTest.class.getResourceAsStream("/io/kindred/lab/scenarios/" + name + ".yaml")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static List<Experiment> scenario(String name, String... assignments) throws IOException {
    return ExperimentFile.of(
            ConfigFile.parse(name, text(name)), Optional.empty(), List.of(assignments))
        .cells()
        .stream()
        .map(GridCell::experiment)
        .toList();
  }

  private static SortedMap<Long, Failure> fuzz(Experiment experiment, long from, long to) {
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      return new Fuzz(pool, DataFiles.NONE).run(experiment, from, to, found -> {}, () -> false);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"mixed", "churn", "server", "hierarchy"})
  void theMethodsSurviveTheBuiltInScenarios(String name) throws IOException {
    for (Experiment experiment : scenario(name)) {
      assertThat(fuzz(experiment, 1, 15)).as("%s", experiment.method()).isEmpty();
    }
  }

  @Test
  void theOverlayMendsItself() throws IOException {
    Ordeal ordeal = OverlayCase.ordealOf("overlay", text("overlay"));
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      assertThat(new Fuzz(pool, DataFiles.NONE).run(ordeal, 1, 6, found -> {}, () -> false))
          .isEmpty();
    }
  }

  @Test
  void anOverlayThatHasNoTimeIsFoundAndReplayed() throws IOException {
    Ordeal hasty =
        OverlayCase.ordealOf(
            "overlay", text("overlay").replace("healSeconds: 60", "healSeconds: 0.001"));
    SortedMap<Long, Failure> found;
    try (ExecutorService pool = Executors.newFixedThreadPool(2)) {
      found = new Fuzz(pool, DataFiles.NONE).run(hasty, 1, 4, failure -> {}, () -> false);
    }
    assertThat(found).isNotEmpty();
    Failure first = Objects.requireNonNull(found.get(found.firstKey()));
    assertThat(first.transcript()).isNotEmpty();
    Failure again =
        new OverlayCase(OverlayCase.ordealOf("f.json", first.configuration()))
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
    SortedMap<Long, Failure> found = fuzz(planted(), 1, 30);
    assertThat(found).isNotEmpty();
    assertThat(found.values())
        .anySatisfy(failure -> assertThat(failure.what()).isEqualTo("MixturesSumToOne"));
    long seed = found.firstKey();
    Failure first = Objects.requireNonNull(found.get(seed));
    assertThat(first.transcript()).isNotEmpty();

    List<String> told = new ArrayList<>();
    Failure again =
        new Case(Fuzz.seeded(planted(), seed), DataFiles.NONE)
            .run((event, line) -> told.add(line))
            .orElseThrow();
    assertThat(again.line()).isEqualTo(first.line());
    assertThat(told).endsWith(first.transcript().toArray(String[]::new));
  }

  @Test
  void whatIsWrittenDownReplaysTheSameRun() throws IOException {
    Experiment experiment = Fuzz.seeded(scenario("mixed").getFirst(), 7);
    Failure written = new Failure("X", "y", 3, ExperimentFile.resolved(experiment), List.of("z"));
    Failure read = Failure.parse("f.json", Json.document(written));
    assertThat(read.line()).isEqualTo(written.line());
    assertThat(Case.experimentOf("f.json", read.configuration())).isEqualTo(experiment);
  }

  @Test
  void everySeedDrawsFaultsOfItsOwnBelowTheScenarios() throws IOException {
    Faults most = scenario("mixed").getFirst().faults();
    int without = 0;
    for (long seed = 0; seed < 300; seed++) {
      Faults drawn = Fuzz.seeded(scenario("mixed").getFirst(), seed).faults();
      assertThat(drawn.loss()).isBetween(0.0, most.loss());
      assertThat(drawn.cuts()).isBetween(0.0, most.cuts());
      assertThat(drawn.untilSeconds()).isEqualTo(most.untilSeconds());
      without += drawn.loss() == 0 ? 1 : 0;
    }
    assertThat(without).isBetween(70, 130);
  }
}
