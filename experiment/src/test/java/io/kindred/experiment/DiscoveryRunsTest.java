package io.kindred.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.runtime.SmallExperiment;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.json.Json;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Whole runs of peers that find each other by views, over the overlay or among neighbours. */
class DiscoveryRunsTest {
  private static final int ROUNDS = 6;

  @TempDir private Path home;

  private static Experiment experiment(String discovery, String... others) {
    return SmallExperiment.parse(
        SmallExperiment.FILE
                .replace("method: dfedavgm\n", "")
                .replace("samples: 240", "samples: 600")
                .replace("peers: 4\n", "peers: 10\n")
                .replace("rounds: 3\n", "rounds: " + ROUNDS + "\n")
                .replace("topology: ring", "topology: {name: k-regular, degree: 4}")
            + "method: {name: semantic-dfl, pull: {timeout: {seconds: 20, factor: 3, minSeconds: 2}},"
            + " discovery: "
            + discovery
            + "}\n",
        others);
  }

  private static Experiment withChurnAndLoss(String discovery) {
    return experiment(
        discovery,
        "churn={name: steady, rate: 0.1}",
        "faults={loss: 0.1, crashes: 0.1, forgetful: 0.3}",
        "network.roundSeconds=2",
        "network.devices={name: alike, operationsPerSecond: 1e6}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"views", "neighbours"})
  void withChurnAndLossTheSameSeedGivesTheSameResults(String discovery) {
    Experiment experiment = withChurnAndLoss(discovery);
    SmallRuns.Results first = SmallRuns.runUninterrupted(experiment, home.resolve("first"));
    assertThat(SmallRuns.runUninterrupted(experiment.withWorkers(1), home.resolve("again")))
        .isEqualTo(first);
    assertThat(first.summary()).as("losses happen").contains("\"send-failed\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"views", "neighbours"})
  void stoppedAnywhereAndResumedEqualsUninterrupted(String discovery) {
    Experiment experiment = withChurnAndLoss(discovery);
    SmallRuns.Results whole = SmallRuns.runUninterrupted(experiment, home.resolve("whole"));
    for (int deployments : new int[] {1, 7, 18, 30, 41}) {
      Path folder = home.resolve("stopped-" + deployments);
      assertThat(SmallRuns.runUntilStopped(deployments, experiment, folder))
          .isEqualTo(Run.Outcome.STOPPED);
      assertThat(SmallRuns.runToEnd(experiment, folder))
          .as("stopped after %d deployments", deployments)
          .isEqualTo(whole);
    }
  }

  private JsonNode overlayMetrics(String name) {
    return Json.tree(RunFolder.readText(new RunFolder(home.resolve(name)).summary()))
        .get("overlay");
  }

  private List<JsonNode> mixedLines(String name) {
    return RunFolder.readText(new RunFolder(home.resolve(name)).metrics())
        .lines()
        .map(Json::tree)
        .filter(line -> line.get("stage").asString().equals("mixed"))
        .toList();
  }

  @Test
  void viewsAreJudgedByWholeVectorsInEveryRoundAndTellTheirCosts() {
    SmallRuns.runUninterrupted(experiment("views"), home.resolve("views"));
    assertThat(mixedLines("views"))
        .isNotEmpty()
        .allSatisfy(
            line -> {
              assertThat(line.at("/extra/recallAtKFull").asDouble()).isBetween(0.0, 1.0);
              assertThat(line.at("/extra/recallAtK")).isEqualTo(line.at("/extra/recallAtKFull"));
            });
    JsonNode metrics = overlayMetrics("views");
    assertThat(metrics.get("recallAtKFull").asDouble()).isGreaterThan(0.5);
    assertThat(metrics.get("messagesPerQuery").asDouble()).isBetween(1.0, 20.0);
    assertThat(metrics.get("bytesPerQuery").asDouble()).isPositive();
    assertThat(metrics.has("depth")).isFalse();
  }

  @Test
  void neighboursAreFoundWithoutAnyMessage() {
    SmallRuns.runUninterrupted(experiment("neighbours"), home.resolve("neighbours"));
    assertThat(overlayMetrics("neighbours").has("messagesPerQuery")).isFalse();
    assertThat(overlayMetrics("neighbours").get("recallAtK").asDouble()).isBetween(0.0, 1.0);
  }

  @Test
  void signaturesAreJudgedByWholeVectorsInTheLastRoundOnly() {
    SmallRuns.runUninterrupted(experiment("overlay"), home.resolve("overlay"));
    assertThat(mixedLines("overlay"))
        .filteredOn(line -> line.get("round").asInt() < ROUNDS)
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line.at("/extra").has("recallAtKFull")).isFalse());
    assertThat(overlayMetrics("overlay").has("recallAtKFull")).isTrue();
    assertThat(overlayMetrics("overlay").has("depth")).isTrue();
  }
}
