package io.kindred.node.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.kindred.learning.data.DataFiles;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.runtime.metrics.MetricLine;
import io.kindred.storage.OperatorException;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The files that a fleet writes before its processes start, and the results that it merges. */
class FleetTest {
  @TempDir private Path home;

  private static Experiment experiment(String more) {
    return ExperimentFile.of(
            ConfigFile.parse(
                "small",
                "{dataset: {name: glyphs, samples: 60, testSamples: 20}, model: softmax, partition: iid,"
                    + " rounds: 2, training: {epochs: 1, batch: 8, learningRate: 0.1}, "
                    + more
                    + "}"),
            Optional.empty(),
            List.of())
        .experiment();
  }

  private String configuration(int number) throws IOException {
    return Files.readString(home.resolve("node-" + number).resolve("node.yaml"));
  }

  @Test
  void everyNodeIsToldOfItsNeighboursInTheGraph() throws IOException {
    Fleet.create(
        home, experiment("method: local, peers: 4, topology: ring"), DataFiles.NONE, List.of());
    assertThat(configuration(0)).contains("\"1\": 127.0.0.1:", "\"3\": 127.0.0.1:");
    assertThat(configuration(0)).doesNotContain("\"2\":");
    assertThat(home.resolve("node-3").resolve("identity").resolve("identity.crt")).exists();
  }

  @Test
  void aNodesConfigurationCanSayMoreAndIsCheckedBeforeAnythingIsMade() throws IOException {
    Experiment alone = experiment("method: local, peers: 2, topology: complete");
    assertThatThrownBy(
            () -> Fleet.create(home, alone, DataFiles.NONE, List.of("packing: {values: int3}")))
        .hasMessageContaining("packing.values");
    assertThat(home.resolve("ca")).doesNotExist();
    Fleet.create(home, alone, DataFiles.NONE, List.of("packing: {values: bfloat16}"));
    assertThat(configuration(1)).contains("packing: {values: bfloat16}");
  }

  @Test
  void aServerAndItsClientsKnowEachOther() throws IOException {
    Fleet.create(
        home,
        experiment("method: fedavg, peers: 2, topology: complete"),
        DataFiles.NONE,
        List.of());
    assertThat(configuration(0)).contains("\"1\":", "\"2\":");
    assertThat(configuration(2)).contains("\"0\":", "\"1\":").doesNotContain("\"2\":");
  }

  @Test
  void nothingRunsBeforeTheStart() {
    Fleet.create(
        home, experiment("method: local, peers: 2, topology: complete"), DataFiles.NONE, List.of());
    assertThat(Fleet.open(home).nodeProcesses())
        .extracting(Fleet.NodeProcess::alive, Fleet.NodeProcess::round)
        .containsExactly(tuple(false, 0), tuple(false, 0));
    assertThat(Fleet.open(home).stop()).isZero();
  }

  @Test
  void aFolderWithoutAFleetIsRefused() {
    assertThatThrownBy(() -> Fleet.open(home))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("holds no fleet");
  }

  private void writeMetrics(int peer, List<MetricLine> lines, long sent) throws IOException {
    Path run = home.resolve("node-" + peer).resolve("run");
    Files.createDirectories(run);
    StringBuilder text = new StringBuilder();
    lines.forEach(line -> text.append(Json.line(line)).append('\n'));
    Files.writeString(run.resolve("metrics.jsonl"), text);
    Files.writeString(run.resolve("config.yaml"), "peers: 2\n");
    Files.writeString(
        run.resolve("status.json"),
        "{\"state\": \"STOPPED\", \"totals\": {\"round\": 2, \"sentModel\": "
            + sent
            + ", \"sentControl\": 7, \"pulled\": 3}}");
  }

  private static MetricLine line(int round, int peer, double accuracy) {
    return new MetricLine(
        round, peer, "mixed", 0.5, accuracy, 10, null, 0, 0, 0, 1, new TreeMap<>());
  }

  @Test
  void resultsOfAllNodesBecomeOneRunAndWhatIsSaidLastCounts() throws IOException {
    Fleet fleet =
        Fleet.create(
            home,
            experiment("method: local, peers: 2, topology: complete"),
            DataFiles.NONE,
            List.of());
    // The second node was killed and ran its second round twice.
    writeMetrics(0, List.of(line(1, 0, 0.2), line(2, 0, 0.4)), 100);
    writeMetrics(1, List.of(line(1, 1, 0.3), line(2, 1, 0.9), line(2, 1, 0.6)), 50);
    fleet.collectResults();
    assertThat(Files.readAllLines(fleet.results().metrics())).hasSize(4);
    JsonNode summary = Json.tree(Files.readString(fleet.results().summary()));
    assertThat(summary.at("/accuracy/local/mean").asDouble()).isEqualTo(0.5);
    assertThat(summary.at("/traffic/modelBytes").asLong()).isEqualTo(150);
    assertThat(summary.at("/traffic/controlBytes").asLong()).isEqualTo(14);
    assertThat(summary.at("/traffic/modelsPulledPerPeerRound").asDouble()).isEqualTo(1.5);
    assertThat(summary.has("traceHash")).isFalse();
  }
}
