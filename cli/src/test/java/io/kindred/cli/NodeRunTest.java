package io.kindred.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.peer.PeerId;
import io.kindred.experiment.Run;
import io.kindred.learning.data.DataFiles;
import io.kindred.node.assembly.NodeMetrics;
import io.kindred.node.assembly.NodeRun;
import io.kindred.node.assembly.PreflightFinding;
import io.kindred.node.identity.Authority;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.identity.Validity;
import io.kindred.runtime.Progress;
import io.kindred.runtime.StopSignal;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.runtime.metrics.MetricsFile;
import io.kindred.storage.OperatorException;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Nodes as an operator starts them, beside a simulated run of the same file. */
@Timeout(120)
class NodeRunTest {
  private static final int PEERS = 3;
  private static final String EXPERIMENT =
      """
      method: {name: dfedavgm, timeout: {seconds: 100}}
      dataset: {name: glyphs, samples: 180, testSamples: 60}
      model: softmax
      partition: {name: dirichlet, alpha: 0.5, minimum: 20}
      topology: complete
      peers: 3
      rounds: 3
      training: {batch: 16}
      workers: 1
      """;

  @TempDir private Path home;

  private Path configuration(int peer, List<Integer> ports) throws IOException {
    StringBuilder neighbours = new StringBuilder();
    for (int other = 0; other < PEERS; other++) {
      if (other != peer) {
        neighbours.append("  %d: 127.0.0.1:%d\n".formatted(other, ports.get(other)));
      }
    }
    Path folder = Files.createDirectories(home.resolve("node-" + peer));
    return Files.writeString(
        folder.resolve("node.yaml"),
        "experiment: ../small.yaml\npeer: %d\nlisten: 127.0.0.1:%d\nrecord: true\nneighbours:\n%s"
            .formatted(peer, ports.get(peer), neighbours));
  }

  private static List<Integer> freePorts() throws IOException {
    List<ServerSocket> held = new ArrayList<>();
    List<Integer> ports = new ArrayList<>();
    for (int i = 0; i < PEERS; i++) {
      ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
      held.add(socket);
      ports.add(socket.getLocalPort());
    }
    for (ServerSocket each : held) {
      each.close();
    }
    return ports;
  }

  private void identities(Authority authority) {
    for (int peer = 0; peer < PEERS; peer++) {
      Path folder = home.resolve("node-" + peer).resolve("identity");
      Identity.create(folder);
      authority.issue(folder, new Member("small", new PeerId(peer)));
    }
  }

  /** As many nodes as there are peers, in this process, until all have gone all rounds. */
  private void goAllRounds() throws Exception {
    identities(Authority.create(home.resolve("ca")));
    List<Integer> ports = freePorts();
    CountDownLatch done = new CountDownLatch(PEERS);
    StopSignal stop = new StopSignal();
    try (ExecutorService threads = Executors.newFixedThreadPool(PEERS)) {
      List<Future<?>> running = new ArrayList<>();
      for (int peer = 0; peer < PEERS; peer++) {
        NodeRun node = new NodeRun(configuration(peer, ports));
        running.add(
            threads.submit(
                () -> {
                  node.execute(
                      stop,
                      line -> {
                        if (line.startsWith("all 3 rounds")) {
                          done.countDown();
                        }
                      },
                      DataFiles.NONE);
                  return peer(node);
                }));
      }
      done.await();
      stop.request();
      for (Future<?> each : running) {
        each.get();
      }
    }
  }

  /** Queries are numbered by a clock that has run since 1970, which no simulated one has. */
  @Test
  void nodesFindThoseAlikeOverTheirOverlayAndPullTheirModels() throws Exception {
    Files.writeString(
        home.resolve("small.yaml"),
        EXPERIMENT.replace(
            "{name: dfedavgm, timeout: {seconds: 100}}",
            "{name: semantic-dfl, zoneShare: 0, overlay: {zoneSize: 3, hopSeconds: 0.2, maintenance:"
                + " {leaseSeconds: 5}}}"));
    goAllRounds();
    for (int peer = 0; peer < PEERS; peer++) {
      Path status = home.resolve("node-" + peer).resolve("run").resolve("status.json");
      JsonNode said = Json.tree(Files.readString(status));
      assertThat(said.at("/totals/pulled").asInt()).as("peer %d", peer).isPositive();
      assertThat(said.at("/counts/overlay-unanswered").asInt()).isZero();
    }
  }

  /** Timing cannot reach a result as long as nobody's patience ends. */
  @Test
  void nodesReachExactlyTheAccuraciesAndBytesOfTheSimulator() throws Exception {
    Path file = Files.writeString(home.resolve("small.yaml"), EXPERIMENT);
    RunFolder simulated = new RunFolder(home.resolve("simulated"));
    new Run(
            ExperimentFile.read(file, Optional.empty(), List.of()).experiment(),
            simulated,
            Progress.SILENT,
            new StopSignal(),
            warning -> {},
            DataFiles.NONE)
        .execute(false);

    goAllRounds();
    SortedMap<String, String> expected = lines(simulated.metrics());
    SortedMap<String, String> found = new TreeMap<>();
    for (int peer = 0; peer < PEERS; peer++) {
      found.putAll(lines(home.resolve("node-" + peer).resolve("run").resolve("metrics.jsonl")));
    }
    assertThat(expected).hasSize(2 * 3 * PEERS);
    assertThat(found).isEqualTo(expected);
    for (int peer = 0; peer < PEERS; peer++) {
      NodeRun node = new NodeRun(home.resolve("node-" + peer).resolve("node.yaml"));
      assertThat(node.replay(DataFiles.NONE).difference()).isEmpty();
    }
    assertCard(0, expected);
  }

  /** Three rounds with two neighbours bring three models of each. */
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

  private static int peer(NodeRun node) {
    return Json.tree(node.status()).get("peer").asInt();
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

  @Test
  void aGridIsRefused() throws IOException {
    Files.writeString(home.resolve("small.yaml"), EXPERIMENT + "seeds: [1, 2]\n");
    NodeRun node = new NodeRun(configuration(0, List.of(7400, 7401, 7402)));
    assertThatThrownBy(() -> node.execute(new StopSignal(), line -> {}, DataFiles.NONE))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("node.yaml")
        .hasMessageContaining("several runs");
  }

  @Test
  void aMethodThatPoolsDataIsRefused() throws IOException {
    Files.writeString(
        home.resolve("small.yaml"), EXPERIMENT.replaceFirst("method: .*", "method: centralized"));
    identities(Authority.create(home.resolve("ca")));
    NodeRun node = new NodeRun(configuration(0, List.of(7400, 7401, 7402)));
    assertThatThrownBy(() -> node.execute(new StopSignal(), line -> {}, DataFiles.NONE))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("everybody's data");
  }

  @Test
  void aWrongAddressIsToldWithItsLine() throws IOException {
    Path file = configuration(0, List.of(7400, 7401, 7402));
    Files.writeString(file, Files.readString(file).replace("127.0.0.1:7402", "nowhere"));
    assertThatThrownBy(() -> new NodeRun(file))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("node.yaml:7")
        .hasMessageContaining("neighbours.2")
        .hasMessageContaining("host:port");
  }

  @Test
  void aTrainerThatCannotBeStartedIsToldWithItsLine() throws IOException {
    Files.writeString(home.resolve("small.yaml"), EXPERIMENT);
    identities(Authority.create(home.resolve("ca")));
    Path file = configuration(0, List.of(7400, 7401, 7402));
    Files.writeString(file, Files.readString(file) + "trainer: {command: [./nobody]}\n");
    NodeRun node = new NodeRun(file);
    assertThatThrownBy(() -> node.execute(new StopSignal(), line -> {}, DataFiles.NONE))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("node.yaml:8")
        .hasMessageContaining("trainer.command")
        .hasMessageContaining("nobody");
  }

  @Test
  void neighboursThatNobodyCanBeAreRefused() throws IOException {
    Files.writeString(home.resolve("small.yaml"), EXPERIMENT);
    Path file = configuration(0, List.of(7400, 7401, 7402));
    identities(Authority.create(home.resolve("ca")));
    String good = Files.readString(file);
    for (String wrong : List.of("  0: ", "  3: ")) {
      Files.writeString(file, good.replace("  1: ", wrong));
      NodeRun node = new NodeRun(file);
      assertThatThrownBy(() -> node.execute(new StopSignal(), line -> {}, DataFiles.NONE))
          .isInstanceOf(OperatorException.class)
          .hasMessageContaining("neighbours." + wrong.strip().charAt(0))
          .hasMessageContaining("0 to 2");
    }
  }

  @Test
  void anExperimentThatIsNotThereIsToldWithTheKeyThatNamesIt() throws IOException {
    NodeRun node = new NodeRun(configuration(0, List.of(7400, 7401, 7402)));
    assertThatThrownBy(() -> node.execute(new StopSignal(), line -> {}, DataFiles.NONE))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("node.yaml:1")
        .hasMessageContaining("small.yaml");
  }

  @Test
  void aLineThatAKillCutIsDropped() throws IOException {
    Path file = Files.writeString(home.resolve("metrics.jsonl"), "{\"round\":1}\n{\"rou");
    assertThat(NodeMetrics.completeLinesLength(file)).isEqualTo("{\"round\":1}\n".length());
    assertThat(NodeMetrics.completeLinesLength(home.resolve("none"))).isZero();
  }

  private static SortedMap<String, PreflightFinding> preflight(Path file) {
    SortedMap<String, PreflightFinding> found = new TreeMap<>();
    new NodeRun(file).preflight(DataFiles.NONE).forEach(each -> found.put(each.check(), each));
    return found;
  }

  @Test
  void aPreflightLooksAtEverythingAndWritesNothing() throws IOException {
    Files.writeString(home.resolve("small.yaml"), EXPERIMENT);
    identities(Authority.create(home.resolve("ca")));
    Path file = configuration(0, freePorts());
    SortedMap<String, PreflightFinding> found = preflight(file);
    assertThat(found)
        .containsOnlyKeys(
            "authority",
            "certificate",
            "clock",
            "data",
            "disk",
            "experiment",
            "keys",
            "peer 1",
            "peer 2",
            "plan",
            "port",
            "trainer");
    // How much is free depends on the machine.
    found.remove("disk");
    // Nobody else has started yet, which is no mistake.
    found.forEach(
        (check, each) ->
            assertThat(each.level())
                .as(each.text())
                .isEqualTo(
                    check.startsWith("peer ")
                        ? PreflightFinding.Level.WARN
                        : PreflightFinding.Level.OK));
    assertThat(home.resolve("node-0").resolve("run")).doesNotExist();
  }

  @Test
  void aPreflightTellsWhatToFix() throws IOException {
    Files.writeString(home.resolve("small.yaml"), EXPERIMENT + "start: missing.safetensors\n");
    Path identity = home.resolve("node-0").resolve("identity");
    Identity.create(identity);
    Authority.create(home.resolve("ca"))
        .issue(identity, new Member("small", new PeerId(1)), Validity.ofDays(5));
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Path file = configuration(0, List.of(taken.getLocalPort(), 1, 1));
      SortedMap<String, PreflightFinding> found = preflight(file);
      assertThat(Objects.requireNonNull(found.get("certificate")).level())
          .isEqualTo(PreflightFinding.Level.WARN);
      assertThat(Objects.requireNonNull(found.get("certificate")).text()).contains("cert renew");
      assertThat(Objects.requireNonNull(found.get("port")).level())
          .isEqualTo(PreflightFinding.Level.FIX);
      assertThat(Objects.requireNonNull(found.get("port")).text()).contains("another 'listen'");
      assertThat(Objects.requireNonNull(found.get("data")).level())
          .isEqualTo(PreflightFinding.Level.FIX);
      assertThat(Objects.requireNonNull(found.get("data")).text()).contains("missing.safetensors");
    }
  }

  @Test
  void aPreflightShakesHandsWithWhoeverRuns() throws Exception {
    Files.writeString(home.resolve("small.yaml"), EXPERIMENT);
    identities(Authority.create(home.resolve("ca")));
    List<Integer> ports = freePorts();
    Path first = configuration(0, ports);
    NodeRun running = new NodeRun(configuration(1, ports));
    CountDownLatch up = new CountDownLatch(1);
    StopSignal stop = new StopSignal();
    try (ExecutorService threads = Executors.newFixedThreadPool(1)) {
      Future<?> ended =
          threads.submit(
              () -> {
                running.execute(
                    stop,
                    line -> {
                      if (line.contains("listens at port")) {
                        up.countDown();
                      }
                    },
                    DataFiles.NONE);
                return "";
              });
      up.await();
      assertThat(preflight(first).get("peer 1"))
          .isEqualTo(
              new PreflightFinding(
                  "peer 1",
                  PreflightFinding.Level.OK,
                  "127.0.0.1:%d shakes hands as peer 1 of network small".formatted(ports.get(1))));
      // The same machine under another authority.
      Path identity = home.resolve("other").resolve("identity");
      Identity.create(identity);
      Authority.create(home.resolve("foreign")).issue(identity, new Member("small", new PeerId(0)));
      Path other =
          Files.writeString(home.resolve("other").resolve("node.yaml"), Files.readString(first));
      PreflightFinding refused = Objects.requireNonNull(preflight(other).get("peer 1"));
      assertThat(refused.level()).isEqualTo(PreflightFinding.Level.FIX);
      assertThat(refused.text()).contains("we refuse it").contains("is vouched for by");
      stop.request();
      ended.get();
    }
  }
}
