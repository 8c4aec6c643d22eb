package io.kindred.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.weights.Digest;
import io.kindred.learning.data.DataFiles;
import io.kindred.runtime.SmallExperiment;
import io.kindred.runtime.Workers;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.runtime.metrics.MetricLine;
import io.kindred.runtime.metrics.RoundTable;
import io.kindred.runtime.metrics.RunSummary;
import io.kindred.simulator.ShellService;
import io.kindred.simulator.Simulation;
import io.kindred.simulator.SimulationBuilder;
import io.kindred.simulator.StepListener;
import io.kindred.storage.json.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class RunSummaryTest {
  /** Softmax from 28 x 28 pixels to ten classes, as 32-bit floats. */
  private static final long MODEL_BYTES = 4 * (784 * 10 + 10);

  @TempDir private Path home;

  private JsonNode run(String... assignments) {
    Path folder = home.resolve("run");
    SmallRuns.runUninterrupted(SmallExperiment.with(assignments), folder);
    return Json.tree(RunFolder.readText(new RunFolder(folder).summary()));
  }

  private static JsonNode summary(RoundTable table, String... assignments) {
    Experiment experiment = SmallExperiment.with(assignments);
    SimulationBuilder builder = ExperimentAssembler.of(experiment, DataFiles.NONE);
    Workers workers =
        new Workers(Runnable::run, builder.trainers(experiment.engine()), System::nanoTime);
    Simulation begun =
        new Simulation(
            builder.build(), workers, observed -> {}, ShellService.NONE, StepListener.NONE);
    RunSummary summary =
        new SimulationSummary(experiment, begun)
            .of(table, Optional.empty(), Digest.of(new byte[0]), new SpentTime(16, 8, 4, 2, 1));
    return Json.tree(Json.document(summary));
  }

  private static void add(
      RoundTable table, int round, String stage, @Nullable Double global, Double... accuracies) {
    for (int peer = 0; peer < accuracies.length; peer++) {
      table.add(
          new MetricLine(
              round, peer, stage, 0.5, accuracies[peer], 10, global, 0, 0, 0, 0, new TreeMap<>()));
    }
  }

  @Test
  void figuresAreThoseOfTheLastRoundAfterMixing() {
    RoundTable table = new RoundTable(4);
    add(table, 2, "trained", null, 0.1, 0.1, 0.1, 0.1);
    add(table, 2, "mixed", null, 0.75, 0.75, 0.75, 0.75);
    add(table, 3, "trained", null, 0.5, 0.5, 0.75, 0.75);
    add(table, 3, "mixed", 0.25, 0.5, 0.5, 0.75, 0.75);
    JsonNode summary = summary(table, "seed=9", "evaluation.targets=[0.7, 0.9]");
    JsonNode local = summary.get("accuracy").get("local");
    assertThat(local.get("mean").asDouble()).isEqualTo(0.625);
    assertThat(local.get("std").asDouble()).isEqualTo(0.125);
    assertThat(local.get("p10").asDouble()).isEqualTo(0.5);
    assertThat(local.get("best").asDouble()).isEqualTo(0.75);
    assertThat(local.get("afterTraining").asDouble()).isEqualTo(0.625);
    assertThat(summary.get("accuracy").get("global")).isEqualTo(Json.tree("{\"mean\":0.25}"));
    assertThat(summary.get("roundsToTarget")).isEqualTo(Json.tree("{\"0.70\":2}"));
    assertThat(summary.get("wallSeconds").asDouble()).isEqualTo(16);
    assertThat(summary.get("time"))
        .isEqualTo(Json.tree("{\"training\":8.0,\"evaluation\":4.0,\"mixing\":2.0,\"other\":1.0}"));
    assertThat(summary.get("seed").asInt()).isEqualTo(9);
  }

  @Test
  void aLastPersonalPhaseCountsWhereThereIsOne() {
    RoundTable table = new RoundTable(4);
    add(table, 3, "mixed", null, 0.5, 0.5, 0.5, 0.5);
    add(table, 3, "final", null, 0.75, 0.75, 0.75, 0.75);
    JsonNode local = summary(table).get("accuracy").get("local");
    assertThat(local.get("mean").asDouble()).isEqualTo(0.75);
    assertThat(local.get("best").asDouble()).isEqualTo(0.5);
  }

  @Test
  void whatWasNotMeasuredIsAbsentAndNotZero() {
    JsonNode summary = summary(new RoundTable(4));
    assertThat(summary.get("accuracy")).isEqualTo(Json.tree("{\"local\":{}}"));
    assertThat(summary.get("roundsToTarget")).isEqualTo(Json.tree("{}"));
    assertThat(summary.get("metrics")).isEqualTo(Json.tree("{}"));
    for (String later : List.of("overlay", "error", "clusters", "privacy", "radio", "hierarchy")) {
      assertThat(summary.has(later)).as(later).isFalse();
    }
  }

  @Test
  void fieldsAreThoseOfTheDocumentedFormat() {
    JsonNode summary = run("evaluation.targets=[0.05]");
    assertThat(summary.propertyNames())
        .containsExactly(
            "schemaVersion",
            "method",
            "dataset",
            "model",
            "partition",
            "peers",
            "rounds",
            "seed",
            "traceHash",
            "resultHash",
            "wallSeconds",
            "accuracy",
            "roundsToTarget",
            "traffic",
            "virtualSeconds",
            "compute",
            "time",
            "metrics",
            "extra",
            "overall");
    assertThat(summary.get("extra").propertyNames())
        .contains("balancedAccuracy", "macroF1", "globalBalancedAccuracy", "globalMacroF1");
    assertThat(summary.get("overall").propertyNames())
        .containsExactly("accuracy", "balancedAccuracy", "macroF1");
    assertThat(summary.get("schemaVersion").asInt()).isEqualTo(1);
    assertThat(summary.get("method").asString()).isEqualTo("dfedavgm");
    assertThat(summary.get("dataset").asString()).isEqualTo("glyphs");
    assertThat(summary.get("model").asString()).isEqualTo("softmax");
    assertThat(summary.get("partition").asString()).isEqualTo("dirichlet");
    assertThat(summary.get("accuracy").get("local").propertyNames())
        .containsExactly("mean", "std", "p10", "best", "afterTraining");
    assertThat(summary.get("roundsToTarget")).isEqualTo(Json.tree("{\"0.05\":1}"));
    assertThat(summary.get("time").get("training").asDouble()).isPositive();
  }

  @Test
  void trafficOfARingIsTwoModelsAPeerAndRound() {
    JsonNode traffic = run().get("traffic");
    assertThat(traffic.get("modelBytes").asLong()).isEqualTo(4 * 2 * 3 * MODEL_BYTES);
    assertThat(traffic.get("modelsPulledPerPeerRound").asDouble()).isEqualTo(2);
    assertThat(traffic.get("controlBytes").asLong()).isBetween(1L, 100L * 4 * 2 * 3);
    assertThat(traffic.has("serverBytes")).isFalse();
  }

  @Test
  void trafficOfAServerCountsBothWays() {
    JsonNode traffic = run("method={name: fedavg, participants: 2}").get("traffic");
    assertThat(traffic.get("modelBytes").asLong()).isEqualTo((2 * 2 * 3 + 4) * MODEL_BYTES);
    // Two participants in each of three rounds, and all four peers at the end.
    assertThat(traffic.get("modelsPulledPerPeerRound").asDouble()).isEqualTo(10.0 / 12);
    // Every message has the server at one end.
    assertThat(traffic.get("serverBytes").asLong())
        .isEqualTo(traffic.get("modelBytes").asLong() + traffic.get("controlBytes").asLong());
  }

  @Test
  void localTrainingHoldsOneModelAndTrainsTheEpochsOfTheFile() {
    JsonNode compute = run("method=local", "training.epochs=2").get("compute");
    assertThat(compute.get("epochs").asDouble()).isEqualTo(2);
    assertThat(compute.get("modelsHeld").asInt()).isEqualTo(1);
  }

  /** Ditto trains the common model and the peer's own one in every round. */
  @Test
  void dittoTrainsTwiceInARound() {
    assertThat(run("method=ditto").get("compute").get("epochs").asDouble()).isEqualTo(2);
  }

  @Test
  void pooledTrainingHasNoCostOfAPeer() {
    assertThat(run("method=centralized").has("compute")).isFalse();
  }

  @Test
  void whoNeverTalksSendsNothing() {
    JsonNode traffic = run("method=local").get("traffic");
    assertThat(traffic.get("modelBytes").asLong()).isZero();
    assertThat(traffic.get("controlBytes").asLong()).isZero();
  }

  @Test
  void theMeanIsThatOfTheMetrics() {
    JsonNode summary = run();
    double mean =
        RunFolder.readText(new RunFolder(home.resolve("run")).metrics())
            .lines()
            .map(Json::tree)
            .filter(line -> line.get("round").asInt() == 3)
            .filter(line -> line.get("stage").asString().equals("mixed"))
            .mapToDouble(line -> line.get("accuracy").asDouble())
            .average()
            .orElseThrow();
    assertThat(summary.get("accuracy").get("local").get("mean").asDouble())
        .isCloseTo(mean, within(1e-12));
  }
}
