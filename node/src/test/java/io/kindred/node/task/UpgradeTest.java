package io.kindred.node.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.peer.PeerId;
import io.kindred.learning.data.DataFiles;
import io.kindred.node.assembly.LocalNodes;
import io.kindred.node.assembly.NodeRun;
import io.kindred.node.identity.Authority;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.runtime.StopSignal;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Nodes move to a new version of the task one by one, while the others go on with the old one. */
@Timeout(120)
class UpgradeTest {
  private static final int POLL_MILLIS = 50;

  private static final String TASK =
      """
      name: plants
      %s
      inputs: {columns: [{name: long, mean: 5, deviation: 2}]}
      classes: [fern, iris]
      method: kin
      model: softmax
      training: {batch: 8, learningRate: 0.3, momentum: 0.9}
      rounds: 1000
      roundSeconds: 0.2
      """;

  @TempDir private Path home;
  private final StopSignal stop = new StopSignal();
  private final List<String> firstLog = Collections.synchronizedList(new ArrayList<>());

  @SuppressWarnings("NullAway.Init") // the field is set before each test
  UpgradeTest() {}

  private Path node(Authority authority, int peer, int port, String neighbours, String version)
      throws IOException {
    Path folder = Files.createDirectories(home.resolve("node-" + peer));
    Identity.create(folder.resolve("identity"));
    authority.issue(folder.resolve("identity"), new Member("plants", new PeerId(peer)));
    StringBuilder table = new StringBuilder("long,label\n");
    for (int i = 0; i < 40; i++) {
      table.append(3 + i % 4 * 0.1).append(",fern\n").append(7 + i % 4 * 0.1).append(",iris\n");
    }
    Files.writeString(folder.resolve("mine.csv"), table);
    Files.writeString(folder.resolve("plants.task.yaml"), TASK.formatted(version));
    return Files.writeString(
        folder.resolve("node.yaml"),
        """
        task: plants.task.yaml
        data: {name: csv, file: mine.csv}
        listen: 127.0.0.1:%d
        gatherSeconds: 0.5
        sendSeconds: 3
        neighbours: %s
        """
            .formatted(port, neighbours));
  }

  private Future<?> run(ExecutorService threads, Path file, List<String> log) {
    NodeRun node = new NodeRun(file);
    return threads.submit(
        () -> {
          node.execute(stop, log::add, DataFiles.NONE);
          return file;
        });
  }

  private static void await(Path file, Predicate<JsonNode> condition) throws Exception {
    Path status = file.resolveSibling("run/status.json");
    StopSignal never = new StopSignal();
    while (!Files.exists(status) || !condition.test(Json.tree(Files.readString(status)))) {
      never.await(POLL_MILLIS);
    }
  }

  @Test
  void bothVersionsLearnSideBySideAndEachNodeSaysWhoIsWhere() throws Exception {
    Authority authority = Authority.create(home.resolve("ca"));
    List<Integer> ports = LocalNodes.freePorts();
    String knowsZero = "{0: 127.0.0.1:%d}".formatted(ports.get(0));
    String later = "version: 2\nreplaces: {version: 1, until: 2099-01-01T00:00:00Z}";
    Path old = node(authority, 0, ports.get(0), "{}", "version: 1");
    Path moved = node(authority, 1, ports.get(1), knowsZero, later);
    Path second = node(authority, 2, ports.get(2), knowsZero, later);
    List<Future<?>> ended = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      ended.add(run(threads, old, firstLog));
      ended.add(run(threads, moved, new ArrayList<>()));
      ended.add(run(threads, second, new ArrayList<>()));

      // Peers 1 and 2 know only peer 0, which has the earlier version, and find each other.
      await(moved, status -> status.path("heard").path("2").path("models").asLong() > 0);
      await(
          old,
          status ->
              status.path("versions").path("members").path("1").path("version").asInt() == 2
                  && status.path("versions").path("members").path("2").path("version").asInt()
                      == 2);
      await(
          moved,
          status ->
              status.path("versions").path("members").path("0").path("version").asInt() == 1
                  && status.path("versions").has("earlierTask"));

      await(old, status -> status.path("heard").isEmpty());
      assertThat(firstLog)
          .anyMatch(
              line ->
                  line.contains("runs version 2 of task plants")
                      && line.contains("side by side until 2099-01-01T00:00:00Z"));
      StopSignal never = new StopSignal();
      while (firstLog.stream()
          .noneMatch(line -> line.contains("version 2 of task plants: 'replaces"))) {
        never.await(POLL_MILLIS);
      }
      stop.request();
      for (Future<?> each : ended) {
        each.get();
      }
    } finally {
      stop.request();
      threads.close();
    }
  }
}
