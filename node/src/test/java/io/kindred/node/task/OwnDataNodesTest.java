package io.kindred.node.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.peer.PeerId;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.data.format.OwnTable;
import io.kindred.node.assembly.LocalNodes;
import io.kindred.node.assembly.NodeRun;
import io.kindred.node.identity.Authority;
import io.kindred.node.identity.Identity;
import io.kindred.node.identity.Member;
import io.kindred.runtime.StopSignal;
import io.kindred.storage.OperatorException;
import io.kindred.storage.disk.DataFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes with one task, each with a table of its own. */
@Timeout(120)
class OwnDataNodesTest {
  private static final String TASK =
      """
      name: plants
      inputs: {columns: [{name: long, mean: 5, deviation: 2}, {name: wide, mean: 5, deviation: 2}]}
      classes: [fern, iris, lily]
      method: {name: dfedavgm, timeout: {seconds: 100}}
      model: softmax
      training: {epochs: 3, batch: 8, learningRate: 0.3}
      rounds: 3
      """;

  @TempDir private Path home;

  @SuppressWarnings("NullAway.Init") // the fields are set before each test
  OwnDataNodesTest() {}

  @BeforeEach
  void identities() {
    Authority authority = Authority.create(home.resolve("ca"));
    for (int peer = 0; peer < 3; peer++) {
      Path folder = home.resolve("node-" + peer).resolve("identity");
      Identity.create(folder);
      authority.issue(folder, new Member("plants", new PeerId(peer)));
    }
  }

  /** Samples around the center of their class: fern (2, 2), iris (8, 2), lily (5, 8). */
  private static List<String> rows(String name, int count, Random random, boolean wideFirst) {
    double length = name.equals("fern") ? 2 : name.equals("iris") ? 8 : 5;
    double width = name.equals("lily") ? 8 : 2;
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double one = length + 0.6 * random.nextGaussian();
      double two = width + 0.6 * random.nextGaussian();
      rows.add(wideFirst ? two + "," + name + "," + one : one + "," + two + "," + name);
    }
    return rows;
  }

  private Path node(int peer, List<Integer> ports, String table, String task) throws IOException {
    Path folder = home.resolve("node-" + peer);
    Files.writeString(folder.resolve("mine.csv"), table);
    Files.writeString(folder.resolve("plants.task.yaml"), task);
    StringBuilder neighbours = new StringBuilder();
    for (int other = 0; other < 3; other++) {
      if (other != peer) {
        neighbours.append("  %d: 127.0.0.1:%d%n".formatted(other, ports.get(other)));
      }
    }
    return Files.writeString(
        folder.resolve("node.yaml"),
        """
        task: plants.task.yaml
        data: {name: csv, file: mine.csv, label: kind}
        listen: 127.0.0.1:%d
        gatherSeconds: 20
        neighbours:
        %s"""
            .formatted(ports.get(peer), neighbours));
  }

  private static String table(int peer, Random random) {
    List<String> rows = new ArrayList<>();
    switch (peer) {
      case 0 -> {
        rows.addAll(rows("fern", 40, random, false));
        rows.addAll(rows("iris", 40, random, false));
      }
      case 1 -> {
        rows.addAll(rows("iris", 30, random, false));
        rows.addAll(rows("lily", 50, random, false));
      }
      default -> {
        rows.addAll(rows("lily", 20, random, true));
        rows.addAll(rows("fern", 25, random, true));
        Collections.shuffle(rows, random);
      }
    }
    return (peer < 2 ? "long,wide,kind\n" : "wide,kind,long\n") + String.join("\n", rows) + "\n";
  }

  /** Runs the nodes until each has logged a line that the test waits for. */
  private void run(List<Path> files, Predicate<String> awaited, List<String> lines)
      throws Exception {
    CountDownLatch done = new CountDownLatch(files.size());
    StopSignal stop = new StopSignal();
    try (ExecutorService threads = Executors.newFixedThreadPool(files.size())) {
      List<Future<?>> running = new ArrayList<>();
      ConcurrentLinkedQueue<String> all = new ConcurrentLinkedQueue<>();
      for (Path file : files) {
        NodeRun node = new NodeRun(file);
        boolean[] seen = new boolean[1];
        running.add(
            threads.submit(
                () -> {
                  node.execute(
                      stop,
                      line -> {
                        all.add(line);
                        synchronized (seen) {
                          if (!seen[0] && awaited.test(line)) {
                            seen[0] = true;
                            done.countDown();
                          }
                        }
                      },
                      // A node that asked for shared data would fail here.
                      DataFiles.NONE);
                  return file;
                }));
      }
      done.await();
      stop.request();
      for (Future<?> each : running) {
        each.get();
      }
      lines.addAll(all);
    }
  }

  @Test
  void aModelLearnsClassesThatItsOwnerDoesNotHave() throws Exception {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    List<Integer> ports = LocalNodes.freePorts();
    List<Path> files = new ArrayList<>();
    for (int peer = 0; peer < 3; peer++) {
      files.add(node(peer, ports, table(peer, random), TASK));
    }
    run(files, line -> line.startsWith("all 3 rounds"), new ArrayList<>());
    Files.writeString(home.resolve("new.csv"), "wide,long\n8,5\n2,2\n2,8\n");
    for (int peer = 0; peer < 3; peer++) {
      Path card = home.resolve("node-%d/deployed/model.json".formatted(peer));
      List<Prediction> predictions =
          Prediction.of(
              card,
              new OwnTable("new.csv", "label", List.of(), ","),
              new DataFolder(Optional.of(home)));
      assertThat(predictions.stream().map(Prediction::predicted))
          .as("peer %d, seed %d", peer, seed)
          .containsExactly("lily", "fern", "iris");
      assertThat(predictions.getFirst().sample()).isEqualTo("line 2");
      // The centers of the classes are five deviations apart, so the model is sure there.
      assertThat(predictions)
          .allSatisfy(
              each -> {
                assertThat(each.probability()).isGreaterThan(0.7);
                assertThat(
                        each.probabilities().values().stream()
                            .mapToDouble(Double::doubleValue)
                            .sum())
                    .isCloseTo(1, within(1e-4));
              });
    }
  }

  @Test
  void nodesOfOtherTasksNameTheFirstDifference() throws Exception {
    Random random = new Random();
    List<Integer> ports = LocalNodes.freePorts();
    List<Path> files =
        List.of(
            node(0, ports, table(0, random), TASK),
            node(
                1,
                ports,
                table(1, random),
                TASK.replace("[fern, iris, lily]", "[iris, fern, lily]")));
    List<String> lines = new ArrayList<>();
    run(files, line -> line.contains("has another task"), lines);
    assertThat(lines)
        .anyMatch(
            line ->
                line.contains("peer 1 of network plants has another task:")
                    && line.contains(
                        "'classes' is [fern, iris, lily] here and [iris, fern, lily] there"))
        .anyMatch(line -> line.contains("peer 0 of network plants has another task:"));
  }

  @Test
  void aNodeWhoseDataDoNotFitSaysWhereAndDoesNotStart() throws IOException {
    List<Integer> ports = LocalNodes.freePorts();
    Path file = node(0, ports, "long,wide,kind\n1,2,fern\n1,2,moss\n", TASK);
    assertThatThrownBy(
            () -> new NodeRun(file).execute(new StopSignal(), line -> {}, DataFiles.NONE))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("line 3: the class 'moss' is not in the task")
        .hasMessageContaining("agree on a task with this class");
  }

  @Test
  void ownDataWithoutATaskAreRefused() throws IOException {
    Path file = home.resolve("node.yaml");
    Files.writeString(
        file, "experiment: e.yaml\ndata: {name: csv, file: mine.csv}\nneighbours: {}\n");
    assertThatThrownBy(() -> new NodeRun(file))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("node.yaml:2")
        .hasMessageContaining("leave 'data' out");
  }
}
