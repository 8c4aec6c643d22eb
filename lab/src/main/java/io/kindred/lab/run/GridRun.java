package io.kindred.lab.run;

import io.kindred.core.settings.Complaint;
import io.kindred.files.OperatorException;
import io.kindred.lab.experiment.GridCell;
import io.kindred.learning.data.DataException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs every cell of a grid, one after another or several at once, each in a folder of its own.
 * Finished cells are skipped, begun ones resumed, and a cell that fails does not stop the others.
 */
public final class GridRun {
  /** What became of the cells; the order is the grid's. */
  public record Results(List<Done> done, List<Failure> failed, boolean stopped) {
    public Results {
      done = List.copyOf(done);
      failed = List.copyOf(failed);
    }
  }

  /** What became of one cell. */
  public sealed interface Attempt {}

  /** A cell that is finished, and where. */
  public record Done(GridCell cell, Path folder) implements Attempt {}

  /** A cell that failed, and why; perhaps only because data are not there or damaged. */
  public record Failure(GridCell cell, String reason, boolean lacksData) implements Attempt {}

  /** A cell that did not fit into the memory. */
  public record NoRoom(GridCell cell, String reason) implements Attempt {}

  /** A cell that was left for another time. */
  public record Stopped() implements Attempt {}

  /** Shows progress of cells, one after another or several at once. */
  public interface Display {
    /** How many cells were finished before and will not be announced. */
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
  public static int finished(Path folder, List<GridCell> cells) {
    return (int)
        cells.stream()
            .filter(cell -> new RunFolder(folder.resolve(cell.folderName())).isFinished())
            .count();
  }

  public Results execute(List<GridCell> cells) {
    display.finishedBefore(finished(folder, cells));
    List<Future<Attempt>> begun = new ArrayList<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(engine.atOnce())) {
      for (int i = 0; i < cells.size(); i++) {
        GridCell cell = cells.get(i);
        int number = i + 1;
        begun.add(pool.submit(() -> attempt(cell, number, cells.size())));
      }
    }
    List<Done> done = new ArrayList<>();
    List<Failure> failed = new ArrayList<>();
    boolean stopped = false;
    for (int i = 0; i < cells.size(); i++) {
      Attempt attempt = begun.get(i).resultNow();
      if (attempt instanceof NoRoom && engine.atOnce() > 1) {
        // What did not fit beside another run may fit alone.
        attempt = attempt(cells.get(i), i + 1, cells.size());
      }
      switch (attempt) {
        case Done each -> done.add(each);
        case Failure each -> failed.add(each);
        case NoRoom(GridCell cell, String reason) -> failed.add(new Failure(cell, reason, false));
        case Stopped() -> stopped = true;
      }
    }
    return new Results(done, failed, stopped);
  }

  private RunFolder folderOf(GridCell cell) {
    return new RunFolder(folder.resolve(cell.folderName()));
  }

  private Attempt attempt(GridCell cell, int number, int count) {
    RunFolder runFolder = folderOf(cell);
    Path at = runFolder.path();
    if (runFolder.isFinished()) {
      return new Done(cell, at);
    }
    if (stop.requested()) {
      return new Stopped();
    }
    Progress progress = display.cell(number, count, cell.label());
    try {
      Run.Outcome outcome = engine.run(cell, runFolder, progress);
      return outcome == Run.Outcome.STOPPED ? new Stopped() : new Done(cell, at);
    } catch (NoRoomException full) {
      progress.end("failed");
      return new NoRoom(cell, full.line());
    } catch (RuntimeException e) {
      progress.end("failed");
      return new Failure(cell, reason(e), lacksData(e));
    }
  }

  private static boolean lacksData(RuntimeException failure) {
    return failure instanceof DataException
        || (failure instanceof OperatorException mistake
            && mistake.exitCode() == OperatorException.DATA_MISSING);
  }

  /** Why a run failed, in the words that its user can do something with. */
  static String reason(RuntimeException failure) {
    if (failure instanceof Complaint complaint) {
      return complaint.line();
    }
    return OperatorException.reason(failure);
  }
}
