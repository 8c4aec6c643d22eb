package io.kindred.spark;

import io.kindred.core.config.SettingException;
import io.kindred.experiment.CellJob;
import io.kindred.experiment.CellResult;
import io.kindred.experiment.GridEngine;
import io.kindred.experiment.Run;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.torch.Torch;
import io.kindred.runtime.Progress;
import io.kindred.runtime.config.GridCell;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.OperatorException;
import io.kindred.storage.disk.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Runs cells as Spark tasks. Each cell is a job of its own, so its folder is written as soon as it
 * is done and a sweep that dies loses only the cells in progress; Spark queues jobs and assigns
 * workers.
 */
final class SparkEngine implements GridEngine {
  /** Cells that wait in Spark's queue cost little; more cores than this need --at-once. */
  private static final int DEFAULT_PARALLEL_CELLS = 256;

  private final JavaSparkContext context;
  private final EngineOptions engineOptions;

  SparkEngine(JavaSparkContext context, EngineOptions engineOptions) {
    this.context = context;
    this.engineOptions = engineOptions;
  }

  @Override
  public Run.Outcome run(GridCell cell, RunFolder folder, Progress progress) {
    if (cell.experiment().engine() instanceof Torch) {
      throw new SettingException(
          "engine",
          "workers of a cluster have no native libraries",
          "set engine to jvm or auto, or sweep with --engine local");
    }
    Optional<CellResult> result = fetch(cell);
    if (result.isEmpty()) {
      return Run.Outcome.STOPPED;
    }
    try {
      result.get().unpack(folder, engineOptions.warn());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + folder.path(), e);
    }
    // Finds a finished run, checks that it is the requested one, and draws its plots.
    Run.Outcome outcome =
        new Run(
                cell.experiment(),
                folder,
                Progress.SILENT,
                engineOptions.stop(),
                engineOptions.warn(),
                DataFiles.NONE)
            .execute(true);
    progress.end("done");
    return outcome;
  }

  /** Empty where the sweep is being stopped, which stops Spark as well. */
  private Optional<CellResult> fetch(GridCell cell) {
    CellJob job = CellJob.of(cell, engineOptions.data());
    try {
      context.setJobDescription(cell.label());
      return Optional.of(
          context.parallelize(List.of(job), 1).map(SparkEngine::executeOrder).collect().getFirst());
    } catch (Exception failure) {
      if (engineOptions.stop().requested()) {
        return Optional.empty();
      }
      throw new OperatorException(OperatorException.FAILED, "Spark failed: " + firstLine(failure));
    }
  }

  private static String firstLine(Exception failure) {
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse(failure.toString());
  }

  /** Runs on a worker. */
  private static CellResult executeOrder(CellJob job) throws IOException {
    Path scratch = Files.createTempDirectory("kindred-cell");
    try {
      return job.execute(scratch);
    } finally {
      Folders.delete(scratch);
    }
  }

  @Override
  public int parallelism() {
    return engineOptions.parallelism() > 0 ? engineOptions.parallelism() : DEFAULT_PARALLEL_CELLS;
  }

  @Override
  public void close() {
    context.close();
  }
}
