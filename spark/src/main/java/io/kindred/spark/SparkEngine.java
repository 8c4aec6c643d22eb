package io.kindred.spark;

import io.kindred.core.settings.Complaint;
import io.kindred.files.OperatorException;
import io.kindred.files.disk.Folders;
import io.kindred.lab.experiment.GridCell;
import io.kindred.lab.run.CellDelivery;
import io.kindred.lab.run.CellOrder;
import io.kindred.lab.run.GridEngine;
import io.kindred.lab.run.Progress;
import io.kindred.lab.run.Run;
import io.kindred.lab.run.RunFolder;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.engine.Jvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Cells as Spark tasks. Each is a job of its own, so its folder is written as soon as it is done
 * and a sweep that dies loses only what was under way; Spark queues jobs and shares out workers.
 */
final class SparkEngine implements GridEngine {
  /** Cells that wait in Spark's queue cost little; more cores than this need --at-once. */
  private static final int AT_ONCE = 256;

  private final JavaSparkContext context;
  private final Terms terms;

  SparkEngine(JavaSparkContext context, Terms terms) {
    this.context = context;
    this.terms = terms;
  }

  @Override
  public Run.Outcome run(GridCell cell, RunFolder folder, Progress progress) {
    if (!(cell.experiment().engine() instanceof Jvm)) {
      throw new Complaint(
          "engine",
          "workers of a cluster have no natives",
          "set engine to jvm, or sweep with --engine local");
    }
    Optional<CellDelivery> delivery = fetch(cell);
    if (delivery.isEmpty()) {
      return Run.Outcome.STOPPED;
    }
    try {
      delivery.get().unpack(folder, terms.warn());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + folder.path(), e);
    }
    // Finds a finished run, makes sure that it is the one that was asked for, and draws it.
    Run.Outcome outcome =
        new Run(
                cell.experiment(),
                folder,
                Progress.SILENT,
                terms.stop(),
                terms.warn(),
                DataFiles.NONE)
            .execute(true);
    progress.end("done");
    return outcome;
  }

  /** Nothing where the sweep is being stopped, which ends Spark as well. */
  private Optional<CellDelivery> fetch(GridCell cell) {
    CellOrder order = CellOrder.of(cell, terms.data());
    try {
      context.setJobDescription(cell.label());
      return Optional.of(
          context.parallelize(List.of(order), 1).map(SparkEngine::fulfil).collect().getFirst());
    } catch (Exception failure) {
      if (terms.stop().requested()) {
        return Optional.empty();
      }
      throw new OperatorException(OperatorException.FAILED, "Spark gave up: " + firstLine(failure));
    }
  }

  private static String firstLine(Exception failure) {
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse(failure.toString());
  }

  /** What a worker does. */
  private static CellDelivery fulfil(CellOrder order) throws IOException {
    Path scratch = Files.createTempDirectory("kindred-cell");
    try {
      return order.execute(scratch);
    } finally {
      Folders.delete(scratch);
    }
  }

  @Override
  public int atOnce() {
    return terms.atOnce() > 0 ? terms.atOnce() : AT_ONCE;
  }

  @Override
  public void close() {
    context.close();
  }
}
