package io.kindred.lab.command;

import io.kindred.files.disk.DataFolder;
import io.kindred.files.disk.Folders;
import io.kindred.files.json.Json;
import io.kindred.lab.experiment.ExperimentFile;
import io.kindred.lab.experiment.GridCell;
import io.kindred.lab.experiment.TableShape;
import io.kindred.lab.run.GridReport;
import io.kindred.lab.run.GridRun;
import io.kindred.lab.run.StopSignal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs the cells of a grid and shows the table that the file describes; shared by run, sweep,
 * compare and demo.
 */
final class GridCommand {
  private final String verb;
  private final ExperimentOptions options;
  private final ExperimentFile file;

  GridCommand(String verb, ExperimentOptions options, ExperimentFile file) {
    this.verb = verb;
    this.options = options;
    this.file = file;
  }

  int call() throws IOException {
    return call(1);
  }

  /** With so many cells side by side unless the command line says otherwise. */
  int call(int usuallyAtOnce) throws IOException {
    Path folder = options.out().orElseGet(() -> Path.of("runs", options.stem()));
    String again = options.again(verb, " --out " + folder);
    int atOnce = options.atOnce(usuallyAtOnce);
    return execute(
        file,
        folder,
        options.stem(),
        again,
        options.targets(),
        options.json(),
        options.data(),
        atOnce);
  }

  static int execute(
      ExperimentFile file,
      Path folder,
      String title,
      String again,
      List<Double> targets,
      boolean json,
      DataFolder data,
      int atOnce)
      throws IOException {
    List<GridCell> cells = file.cells();
    TableShape shape = file.table();
    Folders.requireWritable(folder);
    try (StopSignal stop = StopSignal.ofProcess()) {
      GridRun.Results results =
          new GridRun(
                  folder,
                  atOnce > 1 ? Board.ofProcess() : Console.ofProcess(),
                  stop,
                  RunCommand::warn,
                  data,
                  atOnce)
              .execute(cells);
      GridReport report = GridReport.write(folder, title, shape, targets, results);
      if (json) {
        System.out.print(Json.document(report.summaries()));
      } else if (!results.done().isEmpty()) {
        System.out.print(report.table().text());
        System.out.println("results: " + folder + "   picture: " + report.page());
      }
      for (GridRun.Failure failure : results.failed()) {
        System.err.println("failed: " + failure.cell().label() + ": " + failure.reason());
      }
      if (results.stopped()) {
        System.err.println("stopped; go on with: " + again);
        return ExitCode.STOPPED;
      }
      return exitCode(results);
    }
  }

  private static int exitCode(GridRun.Results results) {
    if (results.failed().isEmpty()) {
      return ExitCode.DONE;
    }
    return results.done().isEmpty() ? ExitCode.FAILED : ExitCode.PARTLY_FAILED;
  }
}
