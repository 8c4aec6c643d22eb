package io.kindred.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.config.SettingException;
import io.kindred.core.weights.Digest;
import io.kindred.experiment.GridEngine;
import io.kindred.experiment.GridRun;
import io.kindred.experiment.LocalGridEngine;
import io.kindred.experiment.tuning.TuningPlan;
import io.kindred.experiment.tuning.TuningSearch;
import io.kindred.learning.data.DataFiles;
import io.kindred.runtime.Progress;
import io.kindred.runtime.StopSignal;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.runtime.config.GridCell;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.OperatorException;
import io.kindred.storage.config.ConfigFile;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Spark inside this process; one context for all tests, because starting one takes seconds. */
class SparkEngineTest {
  private static final String FILE =
      """
      method: dfedavgm
      dataset: {name: glyphs, samples: 240, testSamples: 60}
      model: softmax
      partition: {name: dirichlet, alpha: 0.5, minimum: 20}
      topology: ring
      peers: 4
      rounds: 2
      training: {batch: 16}
      """;

  private static final StopSignal STOP = new StopSignal();
  private static final List<String> WARNINGS = new ArrayList<>();

  @SuppressWarnings("NullAway.Init")
  private static GridEngine spark;

  @TempDir private Path home;

  @BeforeAll
  static void open() {
    GridEngine.Provider provider =
        ServiceLoader.load(GridEngine.Provider.class).findFirst().orElseThrow();
    assertThat(provider.name()).isEqualTo("spark");
    spark =
        provider.open(
            new GridEngine.EngineOptions("local[2]", Optional.empty(), 0, STOP, WARNINGS::add));
  }

  @AfterAll
  static void close() {
    spark.close();
  }

  private static List<GridCell> cells(String more) {
    return ExperimentFile.of(
            ConfigFile.parse("grid.yaml", FILE + more), Optional.empty(), List.of())
        .cells();
  }

  private static GridRun.Results execute(GridEngine engine, Path folder, List<GridCell> cells) {
    return new GridRun(folder, (number, count, label) -> Progress.SILENT, STOP, engine)
        .execute(cells);
  }

  private static GridEngine local() {
    return new LocalGridEngine(STOP, WARNINGS::add, DataFiles.NONE, 1);
  }

  @Test
  void cellsComeToTheSameBytesAsInThisProcess() throws IOException {
    List<GridCell> cells = cells("sweep: {method: [fedavg, dfedavgm]}\nseeds: [1, 2]\n");
    Path here = home.resolve("here");
    Path there = home.resolve("there");
    execute(local(), here, cells);
    GridRun.Results results = execute(spark, there, cells);

    assertThat(results.failed()).isEmpty();
    assertThat(results.completed())
        .extracting(GridRun.Completed::cell)
        .containsExactlyElementsOf(cells);
    for (GridCell cell : cells) {
      SortedMap<String, String> bytes = bytes(here.resolve(cell.folderName()));
      assertThat(bytes).containsKeys("config.yaml", "metrics.jsonl", "rounds.csv");
      assertThat(bytes.keySet()).anyMatch(name -> name.startsWith("models/"));
      assertThat(bytes(there.resolve(cell.folderName()))).isEqualTo(bytes);
      assertThat(new RunFolder(there.resolve(cell.folderName())).report()).exists();
    }
    assertThat(WARNINGS).isEmpty();
  }

  @Test
  void triesOfATuningPlanGiveTheSameRecordAsInThisProcess() throws IOException {
    ExperimentFile file =
        ExperimentFile.of(
            ConfigFile.parse("grid.yaml", FILE + "sweep: {method: [local, fedavg]}\n"),
            Optional.empty(),
            List.of());
    TuningPlan plan =
        new TuningPlan(
            file, new TuningPlan.Request(2, TuningSearch.RANDOM, List.of(71L), List.of()));
    Path here = home.resolve("here");
    Path there = home.resolve("there");
    execute(local(), here, plan.cells());
    assertThat(execute(spark, there, plan.cells()).failed()).isEmpty();
    assertThat(plan.cells()).hasSize(4);
    for (GridCell cell : plan.cells()) {
      assertThat(there.resolve(cell.folderName()).resolve("rounds.csv"))
          .hasSameTextualContentAs(here.resolve(cell.folderName()).resolve("rounds.csv"));
    }
  }

  @Test
  void whatIsFinishedStaysAsItIs() throws IOException {
    List<GridCell> cells = cells("seeds: [1, 2]\n");
    execute(local(), home, cells.subList(0, 1));
    Path summary = new RunFolder(home.resolve(cells.getFirst().folderName())).summary();
    Files.writeString(summary, "{}");

    assertThat(execute(spark, home, cells).completed()).hasSize(2);
    assertThat(summary).hasContent("{}");
  }

  @Test
  void failuresAreToldInTheWordsOfThisProcess() {
    List<GridCell> cells = cells("sweep: {training.weightDecay: [1e38, 0]}\n");
    GridRun.Results here = execute(local(), home.resolve("here"), cells);
    GridRun.Results there = execute(spark, home.resolve("there"), cells);

    // The exception of a worker comes back as its reason, not as the same type.
    GridRun.Failed expected = here.failed().getFirst();
    assertThat(there.failed())
        .singleElement()
        .satisfies(
            failed -> {
              assertThat(failed.cell()).isEqualTo(expected.cell());
              assertThat(failed.reason()).isEqualTo(expected.reason());
            });
    assertThat(there.completed()).hasSize(1);
  }

  @Test
  void anEngineThatIsLeftOpenIsSettledByTheWorker() {
    List<GridCell> cells = cells("engine: auto\nseeds: [1]\n");
    GridRun.Results here = execute(local(), home.resolve("here"), cells);
    GridRun.Results there = execute(spark, home.resolve("there"), cells);

    assertThat(there.failed()).isEmpty();
    assertThat(there.completed()).hasSameSizeAs(here.completed());
    assertThat(new RunFolder(there.completed().getFirst().folder()).config())
        .hasSameTextualContentAs(new RunFolder(here.completed().getFirst().folder()).config());
  }

  @Test
  void anEngineWithNativesIsRefused() {
    GridCell cell = cells("engine: torch\n").getFirst();

    assertThatThrownBy(() -> spark.run(cell, new RunFolder(home), Progress.SILENT))
        .isInstanceOf(SettingException.class)
        .hasMessage("workers of a cluster have no native libraries");
  }

  @Test
  void aMasterThatIsNoneIsRefusedInOneLine() throws IOException {
    assertThatThrownBy(() -> SparkProvider.configuration("localhost:7077"))
        .isInstanceOf(OperatorException.class)
        .hasMessage("--master must be spark://HOST:PORT or local[N], but is 'localhost:7077'");
    assertThatThrownBy(() -> SparkProvider.configuration("spark://localhost"))
        .isInstanceOf(OperatorException.class)
        .hasMessageStartingWith("--master must name host and port");
    int unusedPort;
    try (ServerSocket free = new ServerSocket(0)) {
      unusedPort = free.getLocalPort();
    }
    assertThatThrownBy(() -> SparkProvider.configuration("spark://127.0.0.1:" + unusedPort))
        .isInstanceOf(OperatorException.class)
        .hasMessageStartingWith("no Spark master answers at 127.0.0.1:" + unusedPort)
        .hasMessageContaining("start a master with scripts/spark master");
  }

  @Test
  void workersGetWhatTheyNeedAndNotWhatTheyHave() {
    String classPath =
        "/k/lab.jar:/k/lib/kindred-core.jar:/k/lib/pytorch-2.jar:/k/lib/pytorch-2-linux-x86_64.jar"
            + ":/k/lib/duckdb_jdbc-1.jar:/k/classes:/spark/jars/scala.jar";
    Path spark = Path.of("/spark/jars/spark-core.jar");

    assertThat(ApplicationJars.jars(classPath, "/my/model.jar", spark))
        .containsExactly(
            "/k/lab.jar", "/k/lib/kindred-core.jar", "/k/lib/pytorch-2.jar", "/my/model.jar");
    assertThatThrownBy(() -> ApplicationJars.jars(classPath, "/my/classes", spark))
        .hasMessageContaining("pack the classes into a jar");
  }

  /** All files except plots, report and checkpoints; of the summary only the trace hash. */
  private static SortedMap<String, String> bytes(Path folder) throws IOException {
    SortedMap<String, String> bytes = new TreeMap<>();
    RunFolder run = new RunFolder(folder);
    bytes.put("trace", Json.tree(RunFolder.readText(run.summary())).get("traceHash").asString());
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = folder.relativize(file).toString();
        if (!name.equals("summary.json") && !name.matches("plots/.*|report.html|checkpoint/.*")) {
          bytes.put(name, Digest.of(Files.readAllBytes(file)).hex());
        }
      }
    }
    return bytes;
  }
}
