package io.kindred.runtime.folder;

import io.kindred.learning.data.DataReading;
import io.kindred.storage.OperatorException;
import io.kindred.storage.disk.AtomicFile;
import io.kindred.storage.disk.Folders;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The names inside a run folder; docs/run-format.md says what each file holds. */
public record RunFolder(Path path) {
  public Path config() {
    return path.resolve("config.yaml");
  }

  public Path metrics() {
    return path.resolve("metrics.jsonl");
  }

  public Path rounds() {
    return path.resolve("rounds.csv");
  }

  public Path summary() {
    return path.resolve("summary.json");
  }

  public Path partition() {
    return path.resolve("partition.csv");
  }

  public Path similarity() {
    return path.resolve("similarity.csv");
  }

  public Path hierarchy() {
    return path.resolve("hierarchy.json");
  }

  public Path explanations() {
    return path.resolve("explanations.json");
  }

  /** Which peers are hostile; absent where all are honest. */
  public Path adversaries() {
    return path.resolve("adversaries.json");
  }

  /** How the data were read: classes, scaling, unused files. */
  public Path data() {
    return path.resolve("data.json");
  }

  /** Which classes the peers' last models take for which. */
  public Path confusion() {
    return path.resolve("confusion.csv");
  }

  /** Writes how the data of the run were read, if that is known. */
  public void writeReading(DataReading reading) {
    if (!reading.equals(DataReading.NONE)) {
      writeText(data(), Json.document(reading));
    }
  }

  public Path environment() {
    return path.resolve("environment.json");
  }

  public Path checkpoints() {
    return path.resolve("checkpoint");
  }

  /** A finished run is never resumed, and checkpoints are far larger than all the rest. */
  public void deleteCheckpoints() throws IOException {
    if (!Files.isDirectory(checkpoints())) {
      return;
    }
    try (Stream<Path> files = Files.list(checkpoints())) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
    }
    Files.delete(checkpoints());
  }

  public Path models() {
    return path.resolve("models");
  }

  public Path plots() {
    return path.resolve("plots");
  }

  public Path report() {
    return path.resolve("report.html");
  }

  public boolean hasRun() {
    return Files.exists(config());
  }

  public boolean isFinished() {
    return Files.exists(summary());
  }

  /** Makes the folder and writes the configuration; refuses a folder that holds another run. */
  public void create(String configuration) {
    Folders.requireWritable(path);
    if (hasRun()) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          path
              + " already holds a run; continue it with --resume, or name another folder with"
              + " --out");
    }
    writeText(config(), configuration);
  }

  /** Refuses a folder that has nothing to resume. */
  public void requireRun() {
    if (!hasRun()) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          path + " holds no run to resume; leave --resume out to start one");
    }
  }

  /** Refuses the folder of a grid: a single run there would overwrite the report of the grid. */
  public void requireNoGrid() {
    if (hasRun() || !Files.isDirectory(path)) {
      return;
    }
    try (Stream<Path> inside = Files.list(path)) {
      if (inside.anyMatch(each -> new RunFolder(each).hasRun())) {
        throw new OperatorException(
            OperatorException.WRONG_USE,
            path
                + " holds the runs of a grid; repeat the command of the grid to resume it, or"
                + " name another folder with --out");
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + path, e);
    }
  }

  /** Refuses the folder of a run: a grid there would overwrite the report of the run. */
  public void requireNoRun() {
    if (hasRun()) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          path + " holds a single run, and this is a grid; name another folder with --out");
    }
  }

  /** Checks that the folder holds a run of exactly this configuration. */
  public void requireSameConfiguration(String configuration) {
    Folders.requireWritable(path);
    requireRun();
    String kept = readText(config());
    if (!kept.equals(configuration)) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          path
              + " was started with another configuration ("
              + firstDifference(kept, configuration)
              + "); resume with the same configuration, or name another folder with --out");
    }
  }

  private static String firstDifference(String kept, String wanted) {
    String[] before = kept.split("\n", -1);
    String[] after = wanted.split("\n", -1);
    for (int i = 0; i < Math.min(before.length, after.length); i++) {
      if (!before[i].equals(after[i])) {
        return "'" + before[i].strip() + "' there, '" + after[i].strip() + "' now";
      }
    }
    return "the lengths differ";
  }

  public static void writeText(Path file, String text) {
    try {
      AtomicFile.writeText(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }

  public static String readText(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  /** The run folders among some folders and directly inside them. */
  public static List<Path> runsIn(List<Path> folders) throws IOException {
    List<Path> runs = new ArrayList<>();
    for (Path folder : folders) {
      runs.addAll(runsIn(folder));
    }
    return runs;
  }

  /** The folder itself where it is a run folder, else the run folders directly inside it. */
  public static List<Path> runsIn(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          folder + " is not a folder; name a run folder such as runs/demo");
    }
    if (new RunFolder(folder).hasRun()) {
      return List.of(folder);
    }
    try (Stream<Path> inside = Files.list(folder)) {
      List<Path> runs = inside.filter(each -> new RunFolder(each).hasRun()).sorted().toList();
      if (runs.isEmpty()) {
        throw new OperatorException(
            OperatorException.WRONG_USE,
            folder + " holds no run (a run folder has a config.yaml); run an experiment first");
      }
      return runs;
    }
  }
}
