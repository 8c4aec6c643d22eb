package io.kindred.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.experiment.Run;
import io.kindred.learning.data.DataFiles;
import io.kindred.node.assembly.LocalNodes;
import io.kindred.node.assembly.NodeRun;
import io.kindred.runtime.Progress;
import io.kindred.runtime.StopSignal;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.runtime.metrics.MetricsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes reach what a simulated run of the same file reaches. */
@Timeout(120)
class NodesAgainstSimulatorTest {
  @TempDir private Path home;

  /** Timing cannot affect a result as long as no timeout expires. */
  @Test
  void nodesReachExactlyTheAccuraciesAndBytesOfTheSimulator() throws Exception {
    Path file = Files.writeString(home.resolve("small.yaml"), LocalNodes.EXPERIMENT);
    RunFolder simulated = new RunFolder(home.resolve("simulated"));
    new Run(
            ExperimentFile.read(file, Optional.empty(), List.of()).experiment(),
            simulated,
            Progress.SILENT,
            new StopSignal(),
            warning -> {},
            DataFiles.NONE)
        .execute(false);

    new LocalNodes(home).completeAllRounds();
    SortedMap<String, String> expected = lines(simulated.metrics());
    SortedMap<String, String> found = new TreeMap<>();
    for (int peer = 0; peer < LocalNodes.PEERS; peer++) {
      found.putAll(lines(home.resolve("node-" + peer).resolve("run").resolve("metrics.jsonl")));
    }
    assertThat(expected).hasSize(2 * 3 * LocalNodes.PEERS);
    assertThat(found).isEqualTo(expected);
    for (int peer = 0; peer < LocalNodes.PEERS; peer++) {
      NodeRun node = new NodeRun(home.resolve("node-" + peer).resolve("node.yaml"));
      assertThat(node.replay(DataFiles.NONE).difference()).isEmpty();
    }
    assertCard(0, expected);
  }

  /** Which peers answer in time depends on the machine, so only a replay has the same results. */
  @Test
  void nodesThatRunKinChooseWhatTheyDeployAndRepeatItFromTheirRecordings() throws Exception {
    Files.writeString(
        home.resolve("small.yaml"),
        LocalNodes.EXPERIMENT.replaceFirst(
            "method: .*", "method: {name: kin, k: 2, guardCosines: 2, leastWeight: 0.1}"));
    new LocalNodes(home).completeAllRounds();
    for (int peer = 0; peer < LocalNodes.PEERS; peer++) {
      Path folder = home.resolve("node-" + peer);
      assertThat(Files.readString(folder.resolve("run").resolve("metrics.jsonl")))
          .contains("\"choice\"", "\"mixed\"");
      NodeRun node = new NodeRun(folder.resolve("node.yaml"));
      assertThat(node.replay(DataFiles.NONE).difference()).isEmpty();
    }
  }

  /** Three rounds with two neighbours deliver three models from each neighbour. */
  private void assertCard(int peer, SortedMap<String, String> expected) throws IOException {
    Path models = home.resolve("node-" + peer).resolve("run").resolve("models");
    assertThat(models.resolve("peer-0.safetensors")).exists();
    String accuracy = Objects.requireNonNull(expected.get("3 " + peer + " mixed"));
    assertThat(Files.readString(models.resolve("peer-0.md")))
        .contains("| model | `softmax` |")
        .contains("| method | `dfedavgm` |")
        .contains("| data | `glyphs`, partition `dirichlet`, ")
        .contains("| rounds | 3 of 3, seed 1 |")
        .contains("| accuracy | " + accuracy.substring(0, accuracy.indexOf(' ')) + " on its own ")
        .contains("| models came from | peer 1 (3), peer 2 (3) |");
  }

  /**
   * Accuracy and loss by round, peer and stage, and bytes sent where they do not depend on time.
   */
  private static SortedMap<String, String> lines(Path metrics) {
    SortedMap<String, String> lines = new TreeMap<>();
    MetricsFile.read(
        metrics,
        line ->
            lines.put(
                line.round() + " " + line.peer() + " " + line.stage(),
                line.accuracy()
                    + " "
                    + line.loss()
                    + (line.stage().equals("mixed") ? " sent " + line.sentBytes() : "")));
    return lines;
  }
}
