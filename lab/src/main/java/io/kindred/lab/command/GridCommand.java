package io.kindred.lab.command;

import io.kindred.files.OperatorException;
import io.kindred.files.disk.DataFolder;
import io.kindred.files.disk.Folders;
import io.kindred.files.json.Json;
import io.kindred.lab.experiment.ExperimentFile;
import io.kindred.lab.experiment.GridCell;
import io.kindred.lab.experiment.TableShape;
import io.kindred.lab.run.GridEngine;
import io.kindred.lab.run.GridReport;
import io.kindred.lab.run.GridRun;
import io.kindred.lab.run.LocalEngine;
import io.kindred.lab.run.StopSignal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * Runs the cells of a grid and shows the table that the file describes; shared by run, sweep,
 * compare and demo.
 */
final class GridCommand {
  /** Opens what computes the cells, once there is a signal that can stop it. */
  @FunctionalInterface
  interface Opening {
    GridEngine open(StopSignal stop);
  }

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
    return call(local(options.data(), options.atOnce(usuallyAtOnce)));
  }

  /** With the cells computed by whatever is opened. */
  int call(Opening engine) throws IOException {
    Path folder = options.out().orElseGet(() -> Path.of("runs", options.stem()));
    String again = options.again(verb, " --out " + folder);
    return execute(file, folder, options.stem(), again, options.targets(), options.json(), engine);
  }

  static Opening local(DataFolder data, int atOnce) {
    return stop -> new LocalEngine(stop, RunCommand::warn, data, atOnce);
  }

  static int execute(
      ExperimentFile file,
      Path folder,
      String title,
      String again,
      List<Double> targets,
      boolean json,
      Opening opening)
      throws IOException {
    List<GridCell> cells = file.cells();
    TableShape shape = file.table();
    Folders.requireWritable(folder);
    // Nobody should have to start a cluster to see a table again.
    Opening needed =
        GridRun.finished(folder, cells) == cells.size()
            ? local(new DataFolder(Optional.empty()), 1)
            : opening;
    try (StopSignal stop = StopSignal.ofProcess();
        GridEngine engine = needed.open(stop)) {
      GridRun.Display display = engine.atOnce() > 1 ? Board.ofProcess() : Console.ofProcess();
      GridRun.Results results = new GridRun(folder, display, stop, engine).execute(cells);
      GridReport report = GridReport.write(folder, title, shape, targets, results);
      if (json) {
        System.out.print(Json.document(report.summaries()));
      } else if (!results.done().isEmpty()) {
        System.out.print(report.table().text());
        System.out.println("results: " + folder + "   picture: " + report.page());
      }
      failures(results.failed()).forEach(System.err::println);
      if (results.stopped()) {
        System.err.println("stopped; go on with: " + again);
        return ExitCode.STOPPED;
      }
      return exitCode(results);
    }
  }

  /** A line for each cell, but one for all that want the same data. */
  private static List<String> failures(List<GridRun.Failure> failed) {
    SequencedMap<String, List<GridRun.Failure>> alike = new LinkedHashMap<>();
    for (GridRun.Failure failure : failed) {
      String key = failure.lacksData() ? failure.reason() : failure.cell().folderName();
      alike.computeIfAbsent(key, _ -> new ArrayList<>()).add(failure);
    }
    return alike.values().stream().map(GridCommand::line).toList();
  }

  private static String line(List<GridRun.Failure> alike) {
    GridRun.Failure first = alike.getFirst();
    String others = alike.size() > 1 ? " and " + (alike.size() - 1) + " more" : "";
    return "failed: " + first.cell().label() + others + ": " + first.reason();
  }

  private static int exitCode(GridRun.Results results) {
    if (results.failed().isEmpty()) {
      return ExitCode.DONE;
    }
    if (!results.done().isEmpty()) {
      return ExitCode.PARTLY_FAILED;
    }
    return results.failed().stream().allMatch(GridRun.Failure::lacksData)
        ? OperatorException.DATA_MISSING
        : ExitCode.FAILED;
  }
}
