package io.kindred.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.experiment.Run;
import io.kindred.learning.data.DataFiles;
import io.kindred.methods.catalogue.Methods;
import io.kindred.runtime.Progress;
import io.kindred.runtime.StopSignal;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.runtime.folder.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A wrong input prints one line on standard error, exits with code 2, and creates no files. */
class WrongInputsTest {
  @TempDir private Path home;

  private void refused(String line, String... arguments) {
    CommandResult commandResult = CommandResult.run(arguments);
    assertThat(commandResult.err()).isEqualTo("kindred: " + line + System.lineSeparator());
    assertThat(commandResult.out()).isEmpty();
    assertThat(commandResult.exitCode()).isEqualTo(2);
    assertThat(home.resolve("out")).doesNotExist();
  }

  private void refusedRun(String line, String... options) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("run", SmallExperimentFile.in(home).toString()));
    arguments.addAll(List.of("--out", home.resolve("out").toString()));
    arguments.addAll(List.of(options));
    refused(line, arguments.toArray(String[]::new));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "partition.alhpa=1 | key 'partition.alhpa' is unknown for 'dirichlet'; did you mean"
            + " 'partition.alpha'? (known: alpha, minimum, over, balanced)",
        "learningRate=1 | key 'learningRate' is unknown; it belongs under 'training' (known:"
            + " method, dataset, model, start, partition, topology, peers, rounds, training, seed, dataSeed,"
            + " workers, engine, network, churn, faults, adversaries, robust, evaluation)",
        "rounds=many | 'rounds' must be a whole number from 1 to 1000000, but is 'many'",
        "rounds=2.5 | 'rounds' must be a whole number from 1 to 1000000, but is '2.5'",
        "training=fast | 'training' must be a section of keys, but is 'fast'",
        "partition.alpha=0 | 'partition.alpha' must be a number above 0 and at most 1000000, but is"
            + " '0'",
        "training.learningRate=1e6 | 'training.learningRate' must be a number above 0 and at most"
            + " 100, but is '1e6'",
        "dataset.classes=40 | 'dataset.classes' must be a whole number from 2 to 16, but is '40'",
        "peers=0 | 'peers' must be a whole number from 1 to 1000000, but is '0'",
        "seed=-1 | 'seed' must be a whole number of at least 0, but is '-1'",
        "method=fedaveg | 'method' names the unknown method 'fedaveg'; did you mean 'fedavg'?"
            + " (known: {methods})",
        "method={name: fedavg, participants: 9} | 'method.participants': 9 participants a round,"
            + " but there are only 4 peers; choose at most 4, or 0 for all peers",
        "evaluation.global=sometimes | 'evaluation.global' must be one of never, last, always, but"
            + " is 'sometimes'",
        "evaluation={localTest: 0.6, validation: 0.4} | 'evaluation.validation': test and"
            + " validation together take 1.0 of a peer's samples; choose shares that sum to less"
            + " than 1, so that some samples are left for training",
        "evaluation.targets=[0.5, 80] | 'evaluation.targets': an accuracy of 80.0 cannot be"
            + " reached; choose numbers above 0 and up to 1",
        "evaluation.peers=[4] | 'evaluation.peers': there is no peer 4 among 4; choose from 0 to 3",
        "evaluation.peers=[1, 1] | 'evaluation.peers': a peer is named twice in [1, 1]; name each"
            + " peer once",
        "network.serverLinks=radio | 'network.serverLinks': radio links connect peers at"
            + " positions in a square, and a server has no position; leave serverLinks"
            + " out, which connects the server by wire, or choose even or varied links",
        "topology={name: erdos-renyi, degree: 9} | 'topology.degree': a mean degree of"
            + " 9.0 is impossible with 4 peers; choose at most 3",
        "topology={name: file, path: gone.csv} | 'topology.path': there is no file"
            + " gone.csv; name a text file with one edge on each line",
        "partition.minimum=1000 | 'partition.minimum': 4 peers cannot hold 1000 samples each when"
            + " there are only 240; set the minimum to 60 or less, or use fewer peers or more"
            + " samples",
        "peers=300 | 'peers': there are 300 peers but only 240 training samples; choose"
            + " at most 240 peers, or use more samples",
        "rounds | must have the form key=value, such as --set training.batch=32",
        "rounds= | has no value after '='; use null to unset a key"
      })
  void aWrongAssignmentIsQuotedWithWhatWouldBeRight(String assignment, String problem)
      throws IOException {
    String known = String.join(", ", Methods.ALL.names());
    refusedRun(
        "--set " + assignment + ": " + problem.replace("{methods}", known), "--set", assignment);
  }

  @Test
  void aDamagedGraphIsNamedWithItsLine() throws IOException {
    Path graph = Files.writeString(home.resolve("graph.csv"), "0,1\n1,two\n");
    String assignment = "topology={name: file, path: " + graph + "}";
    refusedRun(
        "--set "
            + assignment
            + ": 'topology.path': "
            + graph
            + ":2: 'two' is not a peer number; write two numbers, such as 0,1",
        "--set",
        assignment);
    Files.write(graph, new byte[] {-1, -2, 0});
    refusedRun(graph + " is not UTF-8 text; name a text file", "--set", assignment);
    refusedRun(
        home + " is a folder; name a text file",
        "--set",
        "topology={name: file, path: " + home + "}");
  }

  @Test
  void aMistakeInTheFileIsNamedWithItsLine() throws IOException {
    Path file = SmallExperimentFile.in(home, "rouns: 3\n");
    refused(
        file
            + ":12: key 'rouns' is unknown; did you mean 'rounds'? (known: method, dataset, model,"
            + " start, partition, topology, peers, rounds, training, seed, dataSeed, workers, engine,"
            + " network, churn, faults, adversaries, robust, evaluation)",
        "run",
        file.toString());
  }

  @Test
  void aWrongSeedOnTheCommandLineIsRefused() throws IOException {
    refusedRun(
        "--set seed=-1: 'seed' must be a whole number of at least 0, but is '-1'", "--seed", "-1");
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    Path missing = home.resolve("missing.yaml");
    refused(missing + ": there is no such file", "run", missing.toString());
  }

  @Test
  void whatIsNoTextFileIsNamed() throws IOException {
    refused(home + ": is a folder; name an experiment file", "run", home.toString());
    Path binary = Files.write(home.resolve("binary.yaml"), new byte[] {-1, -2, 0});
    refused(binary + ": is not UTF-8 text", "run", binary.toString());
    Path empty = Files.writeString(home.resolve("empty.yaml"), "");
    refused(empty + ":1: is empty", "run", empty.toString());
  }

  @Test
  void aFileInTheWayOfTheFolderIsNamed() throws IOException {
    Path file = SmallExperimentFile.in(home);
    Path inTheWay = Files.writeString(home.resolve("taken"), "");
    refused(
        inTheWay + " cannot be a folder: it is a file; remove the file or name another folder",
        "run",
        file.toString(),
        "--out",
        inTheWay.toString());
    Path below = inTheWay.resolve("below");
    refused(
        below
            + " cannot be a folder: "
            + inTheWay
            + " is a file; remove the file or name another folder",
        "sweep",
        file.toString(),
        "--out",
        below.toString());
  }

  @Test
  void anUnknownProfileIsAnsweredWithTheNearestOrAll() throws IOException {
    Path file = SmallExperimentFile.in(home);
    refused(
        file + ":10: there is no profile 'smok'; did you mean 'smoke'?",
        "run",
        file.toString(),
        "--profile",
        "smok");
    refused(
        file + ":10: there is no profile 'paper'; known: smoke",
        "sweep",
        file.toString(),
        "--profile",
        "paper");
  }

  @Test
  void everyCheckpointTruncatedIsToldWithTheRemedy() throws IOException {
    Path file = SmallExperimentFile.in(home);
    Path folder = home.resolve("stopped");
    StopSignal stop = new StopSignal();
    stop.request();
    new Run(
            ExperimentFile.read(file, Optional.empty(), List.of()).experiment(),
            new RunFolder(folder),
            Progress.SILENT,
            stop,
            warning -> {},
            DataFiles.NONE)
        .execute(false);
    Path checkpoint;
    try (Stream<Path> files = Files.list(folder.resolve("checkpoint"))) {
      checkpoint = files.toList().getFirst();
    }
    Files.write(checkpoint, new byte[0]);
    CommandResult commandResult =
        CommandResult.run("run", file.toString(), "--resume", "--out", folder.toString());
    String damage = "checkpoint " + checkpoint + " is truncated: 0 of at least 52 bytes";
    assertThat(commandResult.err().lines())
        .containsExactly(
            "kindred: warning: " + damage,
            "kindred: "
                + damage
                + "; there is no other checkpoint; remove "
                + folder
                + " or name another folder with --out to start over");
    assertThat(commandResult.exitCode()).isEqualTo(2);
  }

  @Test
  void aRunInTheFolderIsKept() throws IOException {
    Path file = SmallExperimentFile.in(home);
    Path folder = home.resolve("run");
    assertThat(CommandResult.run("run", file.toString(), "--out", folder.toString()).exitCode())
        .isZero();
    refused(
        folder
            + " already holds a run; continue it with --resume, or name another folder with --out",
        "run",
        file.toString(),
        "--out",
        folder.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--resume"})
  void aRunDoesNotReplaceTheReportOfAGrid(String option) throws IOException {
    String file = SmallExperimentFile.in(home).toString();
    Path folder = home.resolve("grid");
    assertThat(
            CommandResult.run(
                    "compare", file, "--methods", "local,fedavg", "--out", folder.toString())
                .exitCode())
        .isZero();
    String report = Files.readString(folder.resolve("report.html"));
    List<String> arguments = new ArrayList<>(List.of("run", file, "--out", folder.toString()));
    if (!option.isEmpty()) {
      arguments.add(option);
    }
    refused(
        folder
            + " holds the runs of a grid; repeat the command of the grid to resume it, or name"
            + " another folder with --out",
        arguments.toArray(String[]::new));
    assertThat(folder.resolve("report.html")).hasContent(report);
    assertThat(folder.resolve("config.yaml")).doesNotExist();
  }

  @Test
  void aGridDoesNotReplaceTheReportOfARun() throws IOException {
    String file = SmallExperimentFile.in(home).toString();
    String folder = home.resolve("run").toString();
    assertThat(CommandResult.run("run", file, "--out", folder).exitCode()).isZero();
    refused(
        folder + " holds a single run, and this is a grid; name another folder with --out",
        "compare",
        file,
        "--methods",
        "local,fedavg",
        "--out",
        folder);
  }

  @Test
  void aFolderWithoutARunIsNotResumed() throws IOException {
    refusedRun(
        home.resolve("out") + " holds no run to resume; leave --resume out to start one",
        "--resume");
  }

  @Test
  void aFolderWithoutRunsHasNothingToReport() {
    refused(
        home + " holds no run (a run folder has a config.yaml); run an experiment first",
        "report",
        home.toString());
    Path missing = home.resolve("missing");
    refused(
        missing + " is not a folder; name a run folder such as runs/demo",
        "report",
        missing.toString());
  }

  @Test
  void aClusterThatCannotBeUsedIsRefused() throws IOException {
    String file = SmallExperimentFile.in(home).toString();
    refused(
        "--engine spark needs the Spark module, which is not on the class path; start with"
            + " ./kindred of a clone (see docs/how-to/run-on-a-cluster.md)",
        "sweep",
        file,
        "--engine",
        "spark",
        "--master",
        "local[2]");
    refused(
        "--master names a cluster; add --engine spark, or leave --master out",
        "sweep",
        file,
        "--master",
        "local[2]");
  }

  @Test
  void anUnknownEngineOfASweepIsRefused() throws IOException {
    refused(
        "--engine cloud is not known; the engines are local and spark",
        "sweep",
        SmallExperimentFile.in(home).toString(),
        "--engine",
        "cloud");
  }

  @Test
  void aTargetIsAShare() throws IOException {
    refused(
        "--target must be a number above 0 and at most 1, but is '80.0'",
        "compare",
        SmallExperimentFile.in(home).toString(),
        "--methods",
        "local",
        "--target",
        "80",
        "--out",
        home.resolve("out").toString());
  }

  @Test
  void aMissingFileArgumentIsNamed() {
    refused("Missing required parameter: 'FILE' (see 'kindred run --help')", "run");
  }

  @Test
  void anUnknownVerbIsAnsweredWithTheNearest() {
    refused("there is no verb 'rn'; did you mean 'run'? (see 'kindred --help')", "rn", "a.yaml");
    refused("there is no verb 'method'; did you mean 'methods'? (see 'kindred --help')", "method");
    refused("there is no verb 'frobnicate' (see 'kindred --help')", "frobnicate");
  }

  @Test
  void anUnknownOptionIsAnsweredWithTheNearest() throws IOException {
    refusedRun(
        "there is no option '--worker'; did you mean '--workers'? (see 'kindred run --help')",
        "--worker",
        "2");
    refusedRun(
        "there is no option '--sede'; did you mean '--seed'? (see 'kindred run --help')",
        "--sede=3");
    refused("there is no option '--xyzzy' (see 'kindred --help')", "--xyzzy");
  }

  @Test
  void oneArgumentTooManyIsNamed() throws IOException {
    refusedRun("'other.yaml' is one argument too many (see 'kindred run --help')", "other.yaml");
  }
}
