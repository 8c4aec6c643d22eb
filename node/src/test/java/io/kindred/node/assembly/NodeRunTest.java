package io.kindred.node.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.peer.PeerId;
import io.kindred.learning.data.DataFiles;
import io.kindred.node.identity.Authority;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.node.identity.Validity;
import io.kindred.runtime.StopSignal;
import io.kindred.storage.OperatorException;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Starts nodes as an operator does. */
@Timeout(120)
class NodeRunTest {
  @TempDir private Path home;

  private LocalNodes nodes;

  @SuppressWarnings("NullAway.Init") // the field is set before each test
  NodeRunTest() {}

  @BeforeEach
  void start() {
    nodes = new LocalNodes(home);
  }

  /** Query numbers derive from a clock that counts from 1970, unlike any simulated clock. */
  @Test
  void nodesFindThoseAlikeOverTheirOverlayAndPullTheirModels() throws Exception {
    Files.writeString(
        home.resolve("small.yaml"),
        LocalNodes.EXPERIMENT.replace(
            "{name: dfedavgm, timeout: {seconds: 100}}",
            "{name: semantic-dfl, discovery: {zoneShare: 0, zoneSize: 3, hopSeconds: 0.2,"
                + " maintenance: {leaseSeconds: 5}}}"));
    nodes.completeAllRounds();
    for (int peer = 0; peer < LocalNodes.PEERS; peer++) {
      Path status = home.resolve("node-" + peer).resolve("run").resolve("status.json");
      JsonNode report = Json.tree(Files.readString(status));
      assertThat(report.at("/totals/pulled").asInt()).as("peer %d", peer).isPositive();
      assertThat(report.at("/counts/overlay-unanswered").asInt()).isZero();
      assertThat(report.at("/counts/overlay-refused-proof").asInt()).isZero();
      NodeRun node = new NodeRun(home.resolve("node-" + peer).resolve("node.yaml"));
      assertThat(node.replay(DataFiles.NONE).difference()).as("peer %d", peer).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"views", "neighbours"})
  void nodesFindOtherPeersWithoutAnOverlay(String discovery) throws Exception {
    Files.writeString(
        home.resolve("small.yaml"),
        LocalNodes.EXPERIMENT.replace(
            "{name: dfedavgm, timeout: {seconds: 100}}",
            "{name: semantic-dfl, discovery: " + discovery + "}"));
    nodes.completeAllRounds();
    for (int peer = 0; peer < LocalNodes.PEERS; peer++) {
      Path status = home.resolve("node-" + peer).resolve("run").resolve("status.json");
      JsonNode report = Json.tree(Files.readString(status));
      assertThat(report.at("/totals/pulled").asInt()).as("peer %d", peer).isPositive();
      assertThat(report.at("/counts/false-sketch-claim").asInt()).isZero();
      // A request whose delivery is not confirmed in time is repeated, and then answered twice.
      assertThat(report.at("/counts/unexpected-message").asInt())
          .isLessThanOrEqualTo(report.at("/totals/pulled").asInt());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"random-k", "{name: semantic-dfl, discovery: exact}"})
  void aSearchThatOnlyASimulatorOffersIsRefused(String method) throws IOException {
    Files.writeString(
        home.resolve("small.yaml"),
        LocalNodes.EXPERIMENT.replaceFirst("method: .*", "method: " + method));
    nodes.identities(Authority.create(home.resolve("ca")));
    NodeRun node = new NodeRun(nodes.configuration(0, List.of(7400, 7401, 7402)));
    assertThatThrownBy(() -> node.execute(new StopSignal(), line -> {}, DataFiles.NONE))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("only a simulator sees all peers")
        .hasMessageContaining("`views`");
  }

  @Test
  void aGridIsRefused() throws IOException {
    Files.writeString(home.resolve("small.yaml"), LocalNodes.EXPERIMENT + "seeds: [1, 2]\n");
    NodeRun node = new NodeRun(nodes.configuration(0, List.of(7400, 7401, 7402)));
    assertThatThrownBy(() -> node.execute(new StopSignal(), line -> {}, DataFiles.NONE))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("node.yaml")
        .hasMessageContaining("several runs");
  }

  @Test
  void aMethodThatPoolsDataIsRefused() throws IOException {
    Files.writeString(
        home.resolve("small.yaml"),
        LocalNodes.EXPERIMENT.replaceFirst("method: .*", "method: centralized"));
    nodes.identities(Authority.create(home.resolve("ca")));
    NodeRun node = new NodeRun(nodes.configuration(0, List.of(7400, 7401, 7402)));
    assertThatThrownBy(() -> node.execute(new StopSignal(), line -> {}, DataFiles.NONE))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("data of all peers");
  }

  @Test
  void aWrongAddressIsToldWithItsLine() throws IOException {
    Path file = nodes.configuration(0, List.of(7400, 7401, 7402));
    Files.writeString(file, Files.readString(file).replace("127.0.0.1:7402", "nowhere"));
    assertThatThrownBy(() -> new NodeRun(file))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("node.yaml:7")
        .hasMessageContaining("neighbours.2")
        .hasMessageContaining("host:port");
  }

  @Test
  void aTrainerThatCannotBeStartedIsToldWithItsLine() throws IOException {
    Files.writeString(home.resolve("small.yaml"), LocalNodes.EXPERIMENT);
    nodes.identities(Authority.create(home.resolve("ca")));
    Path file = nodes.configuration(0, List.of(7400, 7401, 7402));
    Files.writeString(file, Files.readString(file) + "trainer: {command: [./nobody]}\n");
    NodeRun node = new NodeRun(file);
    assertThatThrownBy(() -> node.execute(new StopSignal(), line -> {}, DataFiles.NONE))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("node.yaml:8")
        .hasMessageContaining("trainer.command")
        .hasMessageContaining("nobody");
  }

  @Test
  void neighboursOutsideTheNetworkAreRefused() throws IOException {
    Files.writeString(home.resolve("small.yaml"), LocalNodes.EXPERIMENT);
    Path file = nodes.configuration(0, List.of(7400, 7401, 7402));
    nodes.identities(Authority.create(home.resolve("ca")));
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
    NodeRun node = new NodeRun(nodes.configuration(0, List.of(7400, 7401, 7402)));
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
    Files.writeString(home.resolve("small.yaml"), LocalNodes.EXPERIMENT);
    nodes.identities(Authority.create(home.resolve("ca")));
    Path file = nodes.configuration(0, LocalNodes.freePorts());
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
    // Free disk space depends on the machine.
    found.remove("disk");
    // The other nodes have not started yet, which is not an error.
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
    Files.writeString(
        home.resolve("small.yaml"), LocalNodes.EXPERIMENT + "start: missing.safetensors\n");
    Path identity = home.resolve("node-0").resolve("identity");
    Identity.create(identity);
    Authority.create(home.resolve("ca"))
        .issue(identity, new Member("small", new PeerId(1)), Validity.ofDays(5));
    Files.setPosixFilePermissions(
        identity.resolve("vrf.key"), PosixFilePermissions.fromString("rw-r--r--"));
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Path file = nodes.configuration(0, List.of(taken.getLocalPort(), 1, 1));
      SortedMap<String, PreflightFinding> found = preflight(file);
      assertThat(Objects.requireNonNull(found.get("certificate")).level())
          .isEqualTo(PreflightFinding.Level.WARN);
      assertThat(Objects.requireNonNull(found.get("certificate")).text()).contains("cert renew");
      assertThat(Objects.requireNonNull(found.get("private key")).level())
          .isEqualTo(PreflightFinding.Level.WARN);
      assertThat(Objects.requireNonNull(found.get("private key")).text())
          .contains("every user")
          .contains("chmod 600");
      assertThat(Objects.requireNonNull(found.get("port")).level())
          .isEqualTo(PreflightFinding.Level.FIX);
      assertThat(Objects.requireNonNull(found.get("port")).text()).contains("another 'listen'");
      assertThat(Objects.requireNonNull(found.get("data")).level())
          .isEqualTo(PreflightFinding.Level.FIX);
      assertThat(Objects.requireNonNull(found.get("data")).text()).contains("missing.safetensors");
    }
  }

  @Test
  void aPreflightShakesHandsWithRunningMembers() throws Exception {
    Files.writeString(home.resolve("small.yaml"), LocalNodes.EXPERIMENT);
    nodes.identities(Authority.create(home.resolve("ca")));
    List<Integer> ports = LocalNodes.freePorts();
    Path first = nodes.configuration(0, ports);
    NodeRun running = new NodeRun(nodes.configuration(1, ports));
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
                  "127.0.0.1:%d completes the TLS handshake as peer 1 of network small"
                      .formatted(ports.get(1))));
      // The same machine under another certificate authority.
      Path identity = home.resolve("other").resolve("identity");
      Identity.create(identity);
      Authority.create(home.resolve("foreign")).issue(identity, new Member("small", new PeerId(0)));
      Path other =
          Files.writeString(home.resolve("other").resolve("node.yaml"), Files.readString(first));
      PreflightFinding refused = Objects.requireNonNull(preflight(other).get("peer 1"));
      assertThat(refused.level()).isEqualTo(PreflightFinding.Level.FIX);
      assertThat(refused.text())
          .contains("this node refuses its certificate")
          .contains("is signed by");
      stop.request();
      ended.get();
    }
  }
}
