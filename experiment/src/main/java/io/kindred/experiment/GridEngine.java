package io.kindred.experiment;

import io.kindred.runtime.Progress;
import io.kindred.runtime.StopSignal;
import io.kindred.runtime.config.GridCell;
import io.kindred.runtime.folder.RunFolder;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** Where the cells of a grid are computed; which one it was changes no result. */
public interface GridEngine extends AutoCloseable {
  /**
   * What an engine works with.
   *
   * @param master where the engine is to be found, in its own notation
   * @param data the folder of data sets, if one is named
   * @param parallelism how many cells may go on side by side; 0 leaves it to the engine
   * @param stop asks the cells to end early
   * @param warn takes lines for whoever watches
   */
  record EngineOptions(
      String master,
      Optional<Path> data,
      int parallelism,
      StopSignal stop,
      Consumer<String> warn) {}

  /** An engine by its name; {@link java.util.ServiceLoader} finds those of other modules. */
  interface Provider {
    String name();

    /** Reaches out for what is to compute; says in one line why it cannot. */
    GridEngine open(EngineOptions engineOptions);
  }

  /** Brings a cell to its end in its folder, or to a stop; what is begun there is gone on with. */
  Run.Outcome run(GridCell cell, RunFolder folder, Progress progress);

  /** How many cells may be handed over side by side. */
  int parallelism();

  @Override
  void close();
}
