package io.kindred.cli;

import io.kindred.cli.progress.ConsoleProgress;
import io.kindred.cli.progress.ParallelProgress;
import io.kindred.cli.progress.TerminalColumns;
import io.kindred.core.config.SettingException;
import io.kindred.experiment.GridEngine;
import io.kindred.experiment.GridReport;
import io.kindred.experiment.GridRun;
import io.kindred.experiment.LocalGridEngine;
import io.kindred.runtime.StopSignal;
import io.kindred.runtime.command.ExitCode;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.runtime.config.GridCell;
import io.kindred.runtime.config.TableShape;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.OperatorException;
import io.kindred.storage.disk.DataFolder;
import io.kindred.storage.disk.Folders;
import io.kindred.storage.json.Json;
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
  /** Opens the engine that computes the cells, given the signal that can stop it. */
  @FunctionalInterface
  interface EngineFactory {
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

  /** Runs the given number of cells in parallel unless the command line says otherwise. */
  int call(int usuallyAtOnce) throws IOException {
    return call(local(options.data(), options.atOnce(usuallyAtOnce)));
  }

  /** Runs the cells on the given engine. */
  int call(EngineFactory engine) throws IOException {
    Path folder = options.out().orElseGet(() -> Path.of("runs", options.baseName()));
    String resume = options.resumeCommand(verb, " --out " + folder);
    return execute(
        file, folder, options.baseName(), resume, options.targets(), options.json(), engine);
  }

  static EngineFactory local(DataFolder data, int atOnce) {
    return stop -> new LocalGridEngine(stop, RunCommand.warnOnce(), data, atOnce);
  }

  static int execute(
      ExperimentFile file,
      Path folder,
      String title,
      String resumeCommand,
      List<Double> targets,
      boolean json,
      EngineFactory engineFactory)
      throws IOException {
    TableShape shape = file.table();
    return run(
        folder,
        file.cells(),
        engineFactory,
        results -> {
          GridReport report = GridReport.write(folder, title, shape, targets, results);
          if (json) {
            System.out.print(Json.document(report.summaries()));
          } else if (!results.completed().isEmpty()) {
            System.out.print(report.table().text(TerminalColumns.ofTables()));
            RunCommand.printPlaces(folder, report.page());
          }
          failures(file, results.failed()).forEach(System.err::println);
          if (results.stopped()) {
            System.err.println("stopped; resume with: " + resumeCommand);
            return ExitCode.STOPPED;
          }
          return exitCode(results);
        });
  }

  /** Writes and prints the results of a grid, and returns the exit code. */
  @FunctionalInterface
  interface ResultsHandler {
    int handle(GridRun.Results results) throws IOException;
  }

  /** Runs cells and hands over the results before the process may end. */
  static int run(
      Path folder, List<GridCell> cells, EngineFactory engineFactory, ResultsHandler handler)
      throws IOException {
    new RunFolder(folder).requireNoRun();
    Folders.requireWritable(folder);
    // Showing the table of a finished grid should not start a cluster.
    EngineFactory usedFactory =
        GridRun.countFinished(folder, cells) == cells.size()
            ? local(new DataFolder(Optional.empty()), 1)
            : engineFactory;
    try (StopSignal stop = StopSignal.ofProcess();
        GridEngine engine = usedFactory.open(stop)) {
      GridRun.Display display =
          engine.parallelism() > 1 ? ParallelProgress.ofProcess() : ConsoleProgress.ofProcess();
      return handler.handle(new GridRun(folder, display, stop, engine).execute(cells));
    }
  }

  /**
   * One line per failed cell, but one for all cells with the same wrong setting or missing data.
   */
  private static List<String> failures(ExperimentFile file, List<GridRun.Failed> failed) {
    SequencedMap<String, List<GridRun.Failed>> alike = new LinkedHashMap<>();
    for (GridRun.Failed failure : failed) {
      boolean shared = failure.lacksData() || failure.cause() instanceof SettingException;
      String key = shared ? reason(file, failure) : failure.cell().folderName();
      alike.computeIfAbsent(key, _ -> new ArrayList<>()).add(failure);
    }
    return alike.values().stream().map(failures -> line(file, failures)).toList();
  }

  private static String line(ExperimentFile file, List<GridRun.Failed> alike) {
    GridRun.Failed first = alike.getFirst();
    String others = alike.size() > 1 ? " and " + (alike.size() - 1) + " more" : "";
    return "failed: " + first.cell().label() + others + ": " + reason(file, first);
  }

  private static String reason(ExperimentFile file, GridRun.Failed failure) {
    return failure.cause() instanceof SettingException invalid
        ? file.locate(failure.cell(), invalid).line()
        : failure.reason();
  }

  /** The exit code of a grid, by the reasons of its failed cells. */
  static int exitCode(GridRun.Results results) {
    List<GridRun.Failed> failed = results.failed();
    if (failed.isEmpty()) {
      return ExitCode.DONE;
    }
    if (!results.completed().isEmpty()) {
      return ExitCode.PARTLY_FAILED;
    }
    if (failed.stream().allMatch(each -> each.cause() instanceof SettingException)) {
      return ExitCode.WRONG_USE;
    }
    return failed.stream().allMatch(GridRun.Failed::lacksData)
        ? OperatorException.DATA_MISSING
        : ExitCode.FAILED;
  }
}
