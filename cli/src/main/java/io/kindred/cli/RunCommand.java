package io.kindred.cli;

import io.kindred.cli.progress.ConsoleProgress;
import io.kindred.cli.progress.TerminalColumns;
import io.kindred.core.config.SettingException;
import io.kindred.experiment.Run;
import io.kindred.report.Comparison;
import io.kindred.report.PlotFiles;
import io.kindred.report.run.RunReader;
import io.kindred.report.run.RunRecord;
import io.kindred.runtime.StopSignal;
import io.kindred.runtime.command.ExitCode;
import io.kindred.runtime.config.Experiment;
import io.kindred.runtime.config.ExperimentFile;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.OperatorException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Runs one experiment, or the grid that a file describes. */
@Command(
    name = "run",
    mixinStandardHelpOptions = true,
    description = {
      "Runs the experiment that a file describes.",
      "",
      "A file with 'sweep' or 'seeds' is a grid: all its cells are run.",
      "Results are written to a new folder runs/NAME-001, -002, ... or to --out; the results of a",
      "grid are written to runs/NAME.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  kindred run experiments/first.yaml --set partition.alpha=0.1 --seed 7",
      "  kindred run experiments/first.yaml --resume   resumes the last run"
    })
final class RunCommand implements Callable<Integer> {
  @Mixin private ExperimentOptions options;

  @Option(names = "--resume", description = "resume the run in the folder from its last checkpoint")
  private boolean resume;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  RunCommand() {}

  @Override
  public Integer call() throws IOException {
    ExperimentFile file = options.read();
    if (file.isGrid()) {
      return new GridCommand("run", options, file).call();
    }
    Experiment experiment = file.experiment();
    RunFolder folder = new RunFolder(options.out().orElseGet(() -> defaultFolder(resume)));
    folder.requireNoGrid();
    if (resume) {
      folder.requireRun();
    }
    try (StopSignal stop = StopSignal.ofProcess()) {
      Run run =
          new Run(
              experiment,
              folder,
              ConsoleProgress.ofProcess(),
              stop,
              RunCommand::warn,
              options.data());
      try {
        if (run.execute(resume) == Run.Outcome.STOPPED) {
          System.err.println(
              "stopped; resume with: "
                  + options.resumeCommand("run", " --resume --out " + folder.path()));
          return ExitCode.STOPPED;
        }
      } catch (SettingException invalid) {
        throw file.locate(invalid);
      }
      PlotFiles.writePngs(folder.plots());
      print(folder);
      return ExitCode.DONE;
    }
  }

  static void warn(String line) {
    System.err.println("kindred: warning: " + line);
  }

  /** Prints each warning once, because the cells of a grid share most of their settings. */
  static Consumer<String> warnOnce() {
    Set<String> printed = ConcurrentHashMap.newKeySet();
    return line -> {
      if (printed.add(line)) {
        warn(line);
      }
    };
  }

  private void print(RunFolder folder) throws IOException {
    if (options.json()) {
      System.out.print(Files.readString(folder.summary()));
      return;
    }
    List<RunRecord> runs = List.of(new RunReader().read(folder.path()));
    System.out.print(
        Comparison.of(runs, options.targets()).table().text(TerminalColumns.ofTables()));
    printPlaces(folder.path(), folder.report());
  }

  /** Says where the results are: on one line, or on two where one would be too long. */
  static void printPlaces(Path results, Path picture) {
    String line = "results: " + results + "   picture: " + picture;
    System.out.println(
        line.length() <= TerminalColumns.ofTables()
            ? line
            : line.replace("   picture", "\npicture"));
  }

  /** The next free number for a new run, the highest used number for a resumed one. */
  private Path defaultFolder(boolean existing) {
    Path runs = Path.of("runs");
    for (int number = 1; ; number++) {
      if (!Files.exists(numbered(runs, number))) {
        if (existing && number == 1) {
          throw new OperatorException(
              OperatorException.WRONG_USE,
              "there is no "
                  + numbered(runs, 1)
                  + " to resume; leave --resume out, or name the folder with --out");
        }
        return numbered(runs, existing ? number - 1 : number);
      }
    }
  }

  private Path numbered(Path runs, int number) {
    return runs.resolve("%s-%03d".formatted(options.baseName(), number));
  }
}
