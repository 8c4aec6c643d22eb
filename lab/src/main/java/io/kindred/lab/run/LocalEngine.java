package io.kindred.lab.run;

import io.kindred.lab.experiment.Experiment;
import io.kindred.lab.experiment.GridCell;
import io.kindred.learning.data.DataFiles;
import java.util.function.Consumer;

/** Computes cells in this process, one after another or several at once. */
public final class LocalEngine implements GridEngine {
  private final StopSignal stop;
  private final Consumer<String> warn;
  private final DataFiles data;
  private final int atOnce;

  public LocalEngine(StopSignal stop, Consumer<String> warn, DataFiles data, int atOnce) {
    this.stop = stop;
    this.warn = warn;
    this.data = data;
    this.atOnce = atOnce;
  }

  @Override
  public Run.Outcome run(GridCell cell, RunFolder folder, Progress progress) {
    return new Run(shared(cell.experiment()), folder, progress, stop, warn, data).execute(true);
  }

  /** How many threads compute changes no result, so runs side by side take their share of cores. */
  private Experiment shared(Experiment experiment) {
    int cores = Runtime.getRuntime().availableProcessors();
    return experiment.workers() > 0 || atOnce == 1
        ? experiment
        : experiment.withWorkers(Math.max(1, cores / atOnce));
  }

  @Override
  public int atOnce() {
    return atOnce;
  }

  @Override
  public void close() {}
}
