package io.kindred.experiment;

import io.kindred.runtime.Progress;
import io.kindred.runtime.StopSignal;
import io.kindred.runtime.config.GridCell;
import io.kindred.runtime.folder.RunFolder;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** Computes the cells of a grid. The choice of engine changes no result. */
public interface GridEngine extends AutoCloseable {
  /**
   * Settings of an engine.
   *
   * @param master address of the engine, in the engine's own notation
   * @param data the folder of data sets, if one is named
   * @param parallelism how many cells may run at the same time; 0 leaves it to the engine
   * @param stop asks the cells to end early
   * @param warn receives warnings for the user
   */
  record EngineOptions(
      String master,
      Optional<Path> data,
      int parallelism,
      StopSignal stop,
      Consumer<String> warn) {}

  /**
   * Creates an engine by name; {@link java.util.ServiceLoader} finds the providers of other
   * modules.
   */
  interface Provider {
    String name();

    /** Connects to the machines that compute; a failure names its reason in one line. */
    GridEngine open(EngineOptions engineOptions);
  }

  /**
   * Runs a cell in its folder until it is finished or stopped; resumes a run that the folder
   * already holds.
   */
  Run.Outcome run(GridCell cell, RunFolder folder, Progress progress);

  /** How many cells may be submitted at the same time. */
  int parallelism();

  @Override
  void close();
}
