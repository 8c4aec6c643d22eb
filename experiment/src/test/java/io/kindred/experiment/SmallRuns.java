package io.kindred.experiment;

import io.kindred.core.weights.Digest;
import io.kindred.runtime.Progress;
import io.kindred.runtime.StopSignal;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.disk.DataFolder;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/** Runs that take a moment, and the results that must not depend on interruptions or threads. */
public final class SmallRuns {
  /** Four peers times three rounds. */
  static final int DEPLOYMENTS = 12;

  /** The results that two runs of one experiment must share, however often each was interrupted. */
  public record Results(
      String traceHash,
      String resultHash,
      String summary,
      String metrics,
      String rounds,
      SortedMap<String, String> models) {}

  private SmallRuns() {}

  /** Runs without interruption and returns the results. */
  public static Results runUninterrupted(Experiment experiment, Path folder) {
    run(experiment, folder, Progress.SILENT, new StopSignal(), SmallRuns::failOnWarning)
        .execute(false);
    return results(folder);
  }

  public static Run run(
      Experiment experiment,
      Path folder,
      Progress progress,
      StopSignal stop,
      Consumer<String> warn) {
    return new Run(
        experiment, new RunFolder(folder), progress, stop, warn, new DataFolder(Optional.empty()));
  }

  /** Starts or resumes a run and requests a stop at the given deployment of this part. */
  static Run.Outcome runUntilStopped(int deployments, Experiment experiment, Path folder) {
    return runUntilStopped(deployments, experiment, folder, SmallRuns::failOnWarning);
  }

  static Run.Outcome runUntilStopped(
      int deployments, Experiment experiment, Path folder, Consumer<String> warn) {
    StopSignal stop = new StopSignal();
    return run(experiment, folder, new StopAfter(stop, deployments), stop, warn).execute(true);
  }

  /** Starts or resumes a run and completes it. */
  public static Results runToEnd(Experiment experiment, Path folder) {
    return runToEnd(experiment, folder, SmallRuns::failOnWarning);
  }

  static Results runToEnd(Experiment experiment, Path folder, Consumer<String> warn) {
    run(experiment, folder, Progress.SILENT, new StopSignal(), warn).execute(true);
    return results(folder);
  }

  private static void failOnWarning(String warning) {
    throw new AssertionError("unexpected warning: " + warning);
  }

  public static Results results(Path folder) {
    RunFolder run = new RunFolder(folder);
    ObjectNode summary = (ObjectNode) Json.tree(RunFolder.readText(run.summary()));
    summary.remove(List.of("wallSeconds", "time"));
    return new Results(
        summary.get("traceHash").asString(),
        summary.get("resultHash").asString(),
        summary.toString(),
        RunFolder.readText(run.metrics()),
        RunFolder.readText(run.rounds()),
        digests(run.models()));
  }

  private static SortedMap<String, String> digests(Path folder) {
    SortedMap<String, String> digests = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        String digest = Digest.of(Files.readAllBytes(file)).hex();
        digests.put(String.valueOf(file.getFileName()), digest);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return digests;
  }

  /** Checkpoints, oldest first. */
  public static List<Path> checkpoints(Path folder) throws IOException {
    if (!Files.exists(new RunFolder(folder).checkpoints())) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(new RunFolder(folder).checkpoints())) {
      return files.filter(file -> file.toString().endsWith(".ckpt")).sorted().toList();
    }
  }

  /** Leaves the first half of a file. */
  static void truncate(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
  }

  /** Requests a stop after the given number of deployments; with 0, before the first event. */
  private static final class StopAfter implements Progress {
    private final StopSignal stop;
    private int left;

    StopAfter(StopSignal stop, int deployments) {
      this.stop = stop;
      this.left = deployments;
    }

    @Override
    public void begin(String what, long steps, long done) {
      if (left == 0) {
        stop.request();
      }
    }

    @Override
    public void stepCompleted() {
      left--;
      if (left == 0) {
        stop.request();
      }
    }

    @Override
    public void accuracy(double mean) {}

    @Override
    public void end(String outcome) {}
  }
}
