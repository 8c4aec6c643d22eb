package io.kindred.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ShowPartitionTest {
  @TempDir private Path home;

  private CommandResult show(String... more) throws IOException {
    String[] arguments = new String[5 + more.length];
    System.arraycopy(
        new String[] {
          "partitions", "show", SmallExperimentFile.in(home).toString(), "--out", home.toString()
        },
        0,
        arguments,
        0,
        5);
    System.arraycopy(more, 0, arguments, 5, more.length);
    return CommandResult.run(arguments);
  }

  @Test
  void countsAndPictureOfEveryPeer() throws IOException {
    CommandResult commandResult = show("--set", "partition=iid");
    assertThat(commandResult.exitCode()).isZero();
    assertThat(commandResult.err()).isEmpty();
    assertThat(commandResult.out())
        .contains("240 of 240 samples given to 4 peers, 60 to 60 each")
        .contains("small-labels.svg")
        .doesNotContain("clusters");
    assertThat(Files.readString(home.resolve("small-labels.svg")))
        .contains("iid, samples per label");
    assertThat(home.resolve("small-clusters.svg")).doesNotExist();
  }

  @Test
  void jsonAddsUpAndNamesTrueClusters() throws IOException {
    CommandResult commandResult = show("--json", "--set", "partition=rotation-clusters");
    JsonNode document = Json.tree(commandResult.out());
    assertThat(document.get("rows").asInt()).isEqualTo(240);
    for (JsonNode peer : document.get("peers")) {
      assertThat(peer.get("labels").valueStream().mapToInt(JsonNode::asInt).sum()).isEqualTo(60);
      assertThat(peer.get("clusters").valueStream().mapToInt(JsonNode::asInt).max()).hasValue(60);
    }
    assertThat(home.resolve("small-clusters.svg")).exists();
  }

  @Test
  void whatAGridSweepsIsLeftAside() throws IOException {
    Path grid = SmallExperimentFile.in(home, "sweep: {partition: [iid, shards]}\n");
    CommandResult commandResult =
        CommandResult.run(
            "partitions",
            "show",
            grid.toString(),
            "--out",
            home.toString(),
            "--set",
            "partition={name: pathological, classes: 1}");
    assertThat(commandResult.exitCode()).isZero();
    assertThat(commandResult.out()).contains(" 1.0 classes per peer");
  }

  @Test
  void aMistakeHasItsPlace() throws IOException {
    CommandResult commandResult = show("--set", "partition={name: dirichlet, minimum: 500}");
    assertThat(commandResult.exitCode()).isEqualTo(2);
    assertThat(commandResult.err()).contains("partition.minimum").contains("only 240");
  }
}
