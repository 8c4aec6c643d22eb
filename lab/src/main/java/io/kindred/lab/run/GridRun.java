package io.kindred.lab.run;

import io.kindred.core.settings.Complaint;
import io.kindred.lab.experiment.GridCell;
import io.kindred.learning.data.DataFiles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs every cell of a grid, one after another, each in a folder of its own. Finished cells are
 * skipped, begun ones resumed, and a cell that fails does not stop the others.
 */
public final class GridRun {
  /** What became of the cells; the order is the grid's. */
  public record Results(List<Done> done, List<Failure> failed, boolean stopped) {
    public Results {
      done = List.copyOf(done);
      failed = List.copyOf(failed);
    }
  }

  /** A cell that is finished, and where. */
  public record Done(GridCell cell, Path folder) {}

  /** A cell that failed, and why. */
  public record Failure(GridCell cell, String reason) {}

  /** Shows progress of one cell after another. */
  public interface Display {
    /** The progress of the next cell. */
    Progress cell(int number, int count, String label);
  }

  private final Path folder;
  private final Display display;
  private final StopSignal stop;
  private final Consumer<String> warn;
  private final DataFiles data;

  public GridRun(
      Path folder, Display display, StopSignal stop, Consumer<String> warn, DataFiles data) {
    this.folder = folder;
    this.display = display;
    this.stop = stop;
    this.warn = warn;
    this.data = data;
  }

  public Results execute(List<GridCell> cells) {
    List<Done> done = new ArrayList<>();
    List<Failure> failed = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      GridCell cell = cells.get(i);
      Path at = folder.resolve(cell.folderName());
      RunFolder runFolder = new RunFolder(at);
      if (runFolder.isFinished()) {
        done.add(new Done(cell, at));
        continue;
      }
      Progress progress = display.cell(i + 1, cells.size(), cell.label());
      try {
        Run run = new Run(cell.experiment(), runFolder, progress, stop, warn, data);
        if (run.execute(true) == Run.Outcome.STOPPED) {
          return new Results(done, failed, true);
        }
        done.add(new Done(cell, at));
      } catch (RuntimeException e) {
        progress.end("failed");
        failed.add(new Failure(cell, reason(e)));
      }
    }
    return new Results(done, failed, false);
  }

  private static String reason(RuntimeException failure) {
    if (failure instanceof Complaint complaint) {
      return complaint.line();
    }
    String message = failure.getMessage();
    return message == null ? failure.toString() : message;
  }
}
