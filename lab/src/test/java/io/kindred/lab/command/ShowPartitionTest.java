package io.kindred.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.files.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ShowPartitionTest {
  @TempDir private Path home;

  private Said show(String... more) throws IOException {
    String[] arguments = new String[5 + more.length];
    System.arraycopy(
        new String[] {
          "partitions", "show", SmallFile.in(home).toString(), "--out", home.toString()
        },
        0,
        arguments,
        0,
        5);
    System.arraycopy(more, 0, arguments, 5, more.length);
    return Said.by(arguments);
  }

  @Test
  void countsAndPictureOfEveryPeer() throws IOException {
    Said said = show("--set", "partition=iid");
    assertThat(said.exitCode()).isZero();
    assertThat(said.err()).isEmpty();
    assertThat(said.out())
        .contains("240 of 240 samples handed out to 4 peers, 60 to 60 each")
        .contains("small-labels.svg")
        .doesNotContain("clusters");
    assertThat(Files.readString(home.resolve("small-labels.svg")))
        .contains("iid, samples per label");
    assertThat(home.resolve("small-clusters.svg")).doesNotExist();
  }

  @Test
  void jsonAddsUpAndNamesTrueClusters() throws IOException {
    Said said = show("--json", "--set", "partition=rotation-clusters");
    JsonNode document = Json.tree(said.out());
    assertThat(document.get("rows").asInt()).isEqualTo(240);
    for (JsonNode peer : document.get("peers")) {
      assertThat(peer.get("labels").valueStream().mapToInt(JsonNode::asInt).sum()).isEqualTo(60);
      assertThat(peer.get("clusters").valueStream().mapToInt(JsonNode::asInt).max()).hasValue(60);
    }
    assertThat(home.resolve("small-clusters.svg")).exists();
  }

  @Test
  void whatAGridSweepsIsLeftAside() throws IOException {
    Path grid = SmallFile.in(home, "sweep: {partition: [iid, shards]}\n");
    Said said =
        Said.by(
            "partitions",
            "show",
            grid.toString(),
            "--out",
            home.toString(),
            "--set",
            "partition={name: pathological, classes: 1}");
    assertThat(said.exitCode()).isZero();
    assertThat(said.out()).contains(" 1.0 labels a peer");
  }

  @Test
  void aMistakeHasItsPlace() throws IOException {
    Said said = show("--set", "partition={name: dirichlet, minimum: 500}");
    assertThat(said.exitCode()).isEqualTo(2);
    assertThat(said.err()).contains("partition.minimum").contains("only 240");
  }
}
