package io.kindred.node.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.peer.PeerId;
import io.kindred.learning.data.DataFiles;
import io.kindred.node.assembly.LocalNodes;
import io.kindred.node.assembly.NodeRun;
import io.kindred.node.identity.Authority;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.runtime.StopSignal;
import io.kindred.storage.OperatorException;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Nodes join and leave while others learn; no file says how many there are. */
@Timeout(120)
class OpenMembershipTest {
  private static final String TASK =
      """
      name: plants
      inputs: {columns: [{name: long, mean: 5, deviation: 2}]}
      classes: [fern, iris]
      method: %s
      model: softmax
      training: {batch: 8, learningRate: 0.3, momentum: 0.9}
      rounds: %d
      roundSeconds: 0.2
      """;

  @TempDir private Path home;

  @SuppressWarnings("NullAway.Init") // the field is set before each test
  OpenMembershipTest() {}

  private Path node(Authority authority, int peer, int port, String neighbours, String task)
      throws IOException {
    Path folder = Files.createDirectories(home.resolve("node-" + peer));
    Identity.create(folder.resolve("identity"));
    authority.issue(folder.resolve("identity"), new Member("plants", new PeerId(peer)));
    StringBuilder table = new StringBuilder("long,label\n");
    for (int i = 0; i < 40; i++) {
      table.append(3 + i % 4 * 0.1).append(",fern\n").append(7 + i % 4 * 0.1).append(",iris\n");
    }
    Files.writeString(folder.resolve("mine.csv"), table);
    Files.writeString(folder.resolve("plants.task.yaml"), task);
    return Files.writeString(
        folder.resolve("node.yaml"),
        """
        task: plants.task.yaml
        data: {name: csv, file: mine.csv}
        listen: 127.0.0.1:%d
        gatherSeconds: 2
        sendSeconds: 3
        neighbours: %s
        """
            .formatted(port, neighbours));
  }

  private static String knowing(int peer, int port) {
    return "{%d: 127.0.0.1:%d}".formatted(peer, port);
  }

  /** A node in a thread of its own, which stops when it is closed. */
  private static final class Running implements AutoCloseable {
    private static final int POLL_MILLIS = 50;

    private final StopSignal stop = new StopSignal();
    private final Path file;
    private final Future<?> ended;

    Running(ExecutorService threads, Path file) {
      this.file = file;
      NodeRun node = new NodeRun(file);
      ended =
          threads.submit(
              () -> {
                node.execute(stop, line -> {}, DataFiles.NONE);
                return file;
              });
    }

    private JsonNode status() throws IOException {
      Path status = file.resolveSibling("run/status.json");
      return Json.tree(Files.exists(status) ? Files.readString(status) : "{}");
    }

    void awaitRound(int round) throws Exception {
      while (status().path("totals").path("round").asInt(0) < round) {
        assertThat(ended.isDone()).as("the node runs").isFalse();
        stop.await(POLL_MILLIS);
      }
    }

    /** Waits for the first status after a restart, and returns its round. */
    int awaitRestored() throws Exception {
      while (!status().path("restored").asBoolean(false)) {
        assertThat(ended.isDone()).as("the node runs").isFalse();
        stop.await(POLL_MILLIS);
      }
      return status().path("totals").path("round").asInt();
    }

    int firstRound() throws IOException {
      String line = Files.readAllLines(file.resolveSibling("run/metrics.jsonl")).getFirst();
      return Json.tree(line).get("round").asInt();
    }

    boolean heard(int peer) throws IOException {
      return status().path("heard").has(Integer.toString(peer));
    }

    @Override
    public void close() throws ExecutionException {
      stop.request();
      try {
        ended.get();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Test
  void aNewcomerThatKnowsOneMemberStartsWhereTheOthersAre() throws Exception {
    Authority authority = Authority.create(home.resolve("ca"));
    List<Integer> ports = LocalNodes.freePorts();
    // A claim that stands alone would move the newcomer by three rounds of 30 only.
    String task = TASK.formatted("kin", 30);
    // The first node of a network knows no other; the last one has a number far from the others.
    Path first = node(authority, 0, ports.get(0), "{}", task);
    Path second = node(authority, 1, ports.get(1), knowing(0, ports.get(0)), task);
    Path last = node(authority, 977, ports.get(2), knowing(1, ports.get(1)), task);
    try (ExecutorService threads = Executors.newFixedThreadPool(3);
        Running zero = new Running(threads, first);
        Running one = new Running(threads, second)) {
      zero.awaitRound(8);
      one.awaitRound(8);
      try (Running newcomer = new Running(threads, last)) {
        newcomer.awaitRound(30);
        zero.awaitRound(30);
        assertThat(newcomer.firstRound()).isGreaterThan(5);
        assertThat(zero.heard(977)).as("a member that no file of peer 0 names").isTrue();
      }
    }
  }

  @Test
  void neighboursOnAGraphTakeANewcomerInAndGoOnWithoutALeaver() throws Exception {
    Authority authority = Authority.create(home.resolve("ca"));
    List<Integer> ports = LocalNodes.freePorts();
    String task = TASK.formatted("{name: dfedavgm, timeout: {seconds: 60}}", 20);
    Path first = node(authority, 0, ports.get(0), "{}", task);
    Path second = node(authority, 1, ports.get(1), knowing(0, ports.get(0)), task);
    Path last = node(authority, 2, ports.get(2), knowing(0, ports.get(0)), task);
    try (ExecutorService threads = Executors.newFixedThreadPool(3);
        Running zero = new Running(threads, first)) {
      try (Running leaver = new Running(threads, second)) {
        zero.awaitRound(3);
        leaver.awaitRound(3);
      }
      // A round that waited for the node that left would take a minute.
      try (Running newcomer = new Running(threads, last)) {
        newcomer.awaitRound(20);
        zero.awaitRound(20);
        assertThat(zero.heard(2)).as("a member that no file of peer 0 names").isTrue();
      }
    }
  }

  @Test
  void aNodeThatIsStartedAgainContinuesItsRun() throws Exception {
    Authority authority = Authority.create(home.resolve("ca"));
    List<Integer> ports = LocalNodes.freePorts();
    String task = TASK.formatted("kin", 1_000);
    Path first = node(authority, 0, ports.get(0), "{}", task);
    Path second = node(authority, 1, ports.get(1), knowing(0, ports.get(0)), task);
    try (ExecutorService threads = Executors.newFixedThreadPool(2);
        Running zero = new Running(threads, first)) {
      try (Running stopped = new Running(threads, second)) {
        stopped.awaitRound(3);
      }
      try (Running again = new Running(threads, second)) {
        int before = again.awaitRestored();
        again.awaitRound(before + 2);
        assertThat(zero.status().path("state").asString()).isEqualTo("RUNNING");
      }
      List<String> models = new ArrayList<>();
      for (String line : Files.readAllLines(second.resolveSibling("run/metrics.jsonl"))) {
        JsonNode read = Json.tree(line);
        models.add(read.get("round").asInt() + read.get("stage").asString());
      }
      assertThat(models).as("no round is evaluated twice").doesNotHaveDuplicates();
    }
  }

  @Test
  void aMethodWithAServerNeedsTheNumberOfItsPeers() {
    String task = TASK.formatted("fedavg", 3);
    assertThatThrownBy(() -> TaskFile.parse("plants.task.yaml", task))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("peers")
        .hasMessageContaining("a fixed list of peers")
        .hasMessageContaining("peers: N");
    assertThat(TaskFile.parse("plants.task.yaml", task + "peers: 3\n").peers()).contains(3);
  }
}
