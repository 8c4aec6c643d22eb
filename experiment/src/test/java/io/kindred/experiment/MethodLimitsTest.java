package io.kindred.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import io.kindred.core.weights.Layout;
import io.kindred.runtime.SmallExperiment;
import io.kindred.storage.disk.Safetensors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Behaviour of methods at the limits of their settings and of the data. Every peer takes one step
 * per round on all of its samples, so that the order of the samples hardly matters. Devices are
 * slow, so that a peer which pulls a model finds all other peers in the same round.
 */
class MethodLimitsTest {
  private static final int PEERS = 4;
  private static final int ROWS = 12;

  private static final Layout LAYOUT =
      Layout.builder().add("output.weight", 3, 2).add("output.bias", 3).build();

  /** Tolerance for sums of the same samples in another order. */
  private static final float ROUNDING = 1e-5f;

  private static final String FILE =
      """
      method: local
      dataset: {name: table, user: owner, scale: false, test: test.csv}
      model: softmax
      partition: {name: by-user, usersPerPeer: 1}
      topology: complete
      peers: 4
      rounds: 3
      training: {batch: 1000, learningRate: 0.5}
      network: {devices: {name: alike, operationsPerSecond: 100}}
      evaluation: {localTest: 0}
      """;

  @TempDir private Path home;

  @BeforeEach
  void writeTables() throws IOException {
    write("alike", 0);
    write("different", 1);
  }

  /** Writes the same rows for every peer, rotated from peer to peer by the given angle. */
  private void write(String name, double rotation) throws IOException {
    Path folder = Files.createDirectory(home.resolve(name));
    StringBuilder table = new StringBuilder("x,y,label,owner\n");
    for (int owner = 0; owner < PEERS; owner++) {
      for (int row = 0; row < ROWS; row++) {
        double angle = row + rotation * owner;
        table.append(Math.cos(angle)).append(',').append(Math.sin(angle)).append(',');
        table.append(row % 3).append(",owner").append(owner).append('\n');
      }
    }
    Files.writeString(folder.resolve("train.csv"), table);
    Files.writeString(folder.resolve("test.csv"), table);
  }

  /** The models of all peers after three rounds, or the single model that all peers share. */
  private List<float[]> models(String data, String method) {
    Path folder = home.resolve(data + "-" + Integer.toHexString(method.hashCode()));
    SmallRuns.runUninterrupted(
        SmallExperiment.parse(FILE, "dataset.folder=" + home.resolve(data), "method=" + method),
        folder);
    List<float[]> models = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder.resolve("models"))) {
      for (Path file :
          files.filter(each -> each.toString().endsWith(".safetensors")).sorted().toList()) {
        models.add(Safetensors.read(file, LAYOUT).copy());
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return models;
  }

  private static void assertClose(List<float[]> models, float[] expected) {
    assertThat(models)
        .isNotEmpty()
        .allSatisfy(model -> assertThat(model).containsExactly(expected, offset(ROUNDING)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fedavg",
        "{name: fedprox, over: server}",
        "fedprox",
        "ditto",
        "pfedgraph",
        "{name: dpfl, selectOn: train}",
        "{name: dfedavgm, momentum: 0}",
        "random-k",
        "class-similarity",
        "semantic-dfl",
        "{name: semantic-dfl, discovery: exact}",
        "{name: semantic-dfl, discovery: views}",
        "{name: semantic-dfl, discovery: neighbours}"
      })
  void withIdenticalDataEveryPeerEndsWhereASinglePeerDoes(String method) {
    assertClose(models("alike", method), models("alike", "local").getFirst());
  }

  @ParameterizedTest
  @ValueSource(strings = {"{name: per-fedavg, over: server}", "per-fedavg", "dfedpgp", "pfedwn"})
  void withIdenticalDataAllPeersEndWithTheSameModel(String method) {
    List<float[]> models = models("alike", method);
    assertClose(models, models.getFirst());
  }

  @Test
  void withDifferentDataEveryPeerEndsWithAnotherModel() {
    List<float[]> models = models("different", "local");
    assertThat(models).hasSize(PEERS);
    assertThat(models.get(1)).isNotEqualTo(models.get(0));
    assertThat(models("different", "fedavg").getFirst()).isNotEqualTo(models.getFirst());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{name: semantic-dfl, pull: {psi: 0}}",
        "{name: semantic-dfl, pull: {psi: 0}, discovery: views}",
        "{name: ditto, lambda: 0}"
      })
  void aPeerWithoutAttractionTrainsAlone(String method) {
    List<float[]> alone = models("different", "local");
    List<float[]> models = models("different", method);
    for (int peer = 0; peer < PEERS; peer++) {
      assertClose(List.of(models.get(peer)), alone.get(peer));
    }
  }

  @Test
  void fedproxWithoutItsTermIsFederatedAveraging() {
    assertClose(
        models("different", "{name: fedprox, over: server, mu: 0}"),
        models("different", "fedavg").getFirst());
  }

  @Test
  void perFedAvgWithoutAnInnerStepIsFederatedAveraging() {
    assertClose(
        models("different", "{name: per-fedavg, over: server, step: 1e-9}"),
        models("different", "fedavg").getFirst());
  }

  @Test
  void pullingFromAllPeersWithEqualSharesIsAveraging() {
    assertClose(
        models(
            "different",
            "{name: semantic-dfl, discovery: exact, pull: {k: 3, temperature: 1e9, psi: 1e9}}"),
        models("different", "fedavg").getFirst());
  }
}
