package io.kindred.experiment;

import io.kindred.core.config.SettingException;
import io.kindred.learning.data.DataException;
import io.kindred.runtime.Progress;
import io.kindred.runtime.StopSignal;
import io.kindred.runtime.config.GridCell;
import io.kindred.runtime.folder.InsufficientMemoryException;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.OperatorException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs every cell of a grid, one after another or in parallel, each in a folder of its own.
 * Finished cells are skipped, started cells are resumed, and a failed cell does not stop the
 * others.
 */
public final class GridRun {
  /** The outcomes of all cells, in the order of the grid. */
  public record Results(List<Completed> completed, List<Failed> failed, boolean stopped) {
    public Results {
      completed = List.copyOf(completed);
      failed = List.copyOf(failed);
    }
  }

  /** The outcome of one cell. */
  public sealed interface CellOutcome {}

  /** A finished cell and its folder. */
  public record Completed(GridCell cell, Path folder) implements CellOutcome {}

  /** A cell that failed, and why. */
  public record Failed(GridCell cell, RuntimeException cause) implements CellOutcome {
    /** The reason, worded so that the user can act on it. */
    public String reason() {
      return GridRun.reason(cause);
    }

    /** Whether the data set is missing or damaged. */
    public boolean lacksData() {
      return cause instanceof DataException
          || (cause instanceof OperatorException mistake
              && mistake.exitCode() == OperatorException.DATA_MISSING);
    }
  }

  /** A cell that did not fit into memory. */
  public record InsufficientMemory(GridCell cell, InsufficientMemoryException cause)
      implements CellOutcome {}

  /** A cell that was not finished because the user asked to stop. */
  public record Stopped() implements CellOutcome {}

  /** Shows the progress of cells that run one after another or in parallel. */
  public interface Display {
    /** Reports how many cells were already finished; {@link #cell} is not called for those. */
    default void finishedBefore(int cells) {}

    /** The progress of the next cell. */
    Progress cell(int number, int count, String label);
  }

  private final Path folder;
  private final Display display;
  private final StopSignal stop;
  private final GridEngine engine;

  public GridRun(Path folder, Display display, StopSignal stop, GridEngine engine) {
    this.folder = folder;
    this.display = display;
    this.stop = stop;
    this.engine = engine;
  }

  /** How many of the cells are finished. */
  public static int countFinished(Path folder, List<GridCell> cells) {
    return (int)
        cells.stream()
            .filter(cell -> new RunFolder(folder.resolve(cell.folderName())).isFinished())
            .count();
  }

  public Results execute(List<GridCell> cells) {
    display.finishedBefore(countFinished(folder, cells));
    List<Future<CellOutcome>> begun = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(engine.parallelism())) {
      for (int i = 0; i < cells.size(); i++) {
        GridCell cell = cells.get(i);
        int number = i + 1;
        begun.add(pool.submit(() -> attempt(cell, number, cells.size())));
      }
    }
    List<Completed> completed = new ArrayList<>();
    List<Failed> failed = new ArrayList<>();
    boolean stopped = false;
    for (int i = 0; i < cells.size(); i++) {
      CellOutcome cellOutcome = begun.get(i).resultNow();
      if (cellOutcome instanceof InsufficientMemory && engine.parallelism() > 1) {
        // A cell that did not fit beside other runs may fit alone.
        cellOutcome = attempt(cells.get(i), i + 1, cells.size());
      }
      switch (cellOutcome) {
        case Completed each -> completed.add(each);
        case Failed each -> failed.add(each);
        case InsufficientMemory(GridCell cell, InsufficientMemoryException cause) ->
            failed.add(new Failed(cell, cause));
        case Stopped() -> stopped = true;
      }
    }
    return new Results(completed, failed, stopped);
  }

  private RunFolder folderOf(GridCell cell) {
    return new RunFolder(folder.resolve(cell.folderName()));
  }

  private CellOutcome attempt(GridCell cell, int number, int count) {
    RunFolder runFolder = folderOf(cell);
    Path at = runFolder.path();
    if (runFolder.isFinished()) {
      return new Completed(cell, at);
    }
    if (stop.requested()) {
      return new Stopped();
    }
    Progress progress = display.cell(number, count, cell.label());
    try {
      Run.Outcome outcome = engine.run(cell, runFolder, progress);
      return outcome == Run.Outcome.STOPPED ? new Stopped() : new Completed(cell, at);
    } catch (InsufficientMemoryException full) {
      progress.end("failed");
      return new InsufficientMemory(cell, full);
    } catch (RuntimeException e) {
      progress.end("failed");
      return new Failed(cell, e);
    }
  }

  /** The reason of a failure, worded so that the user can act on it. */
  static String reason(RuntimeException failure) {
    if (failure instanceof SettingException invalid) {
      return invalid.line();
    }
    return OperatorException.reason(failure);
  }
}
