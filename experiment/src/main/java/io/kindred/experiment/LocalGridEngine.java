package io.kindred.experiment;

import io.kindred.learning.data.DataFiles;
import io.kindred.runtime.Progress;
import io.kindred.runtime.StopSignal;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.GridCell;
import io.kindred.runtime.folder.RunFolder;
import java.util.function.Consumer;

/** Computes cells in this process, one after another or in parallel. */
public final class LocalGridEngine implements GridEngine {
  private final StopSignal stop;
  private final Consumer<String> warn;
  private final DataFiles data;
  private final int atOnce;

  public LocalGridEngine(StopSignal stop, Consumer<String> warn, DataFiles data, int atOnce) {
    this.stop = stop;
    this.warn = warn;
    this.data = data;
    this.atOnce = atOnce;
  }

  @Override
  public Run.Outcome run(GridCell cell, RunFolder folder, Progress progress) {
    return new Run(withCoreShare(cell.experiment()), folder, progress, stop, warn, data)
        .execute(true);
  }

  /** Divides the cores among parallel runs; the number of threads changes no result. */
  private Experiment withCoreShare(Experiment experiment) {
    int cores = Runtime.getRuntime().availableProcessors();
    return experiment.workers() > 0 || atOnce == 1
        ? experiment
        : experiment.withWorkers(Math.max(1, cores / atOnce));
  }

  @Override
  public int parallelism() {
    return atOnce;
  }

  @Override
  public void close() {}
}
