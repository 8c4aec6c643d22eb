package io.kindred.cli;

import io.kindred.cli.progress.TerminalColumns;
import io.kindred.experiment.GridRun;
import io.kindred.experiment.tuning.SearchSpace.KeyRange;
import io.kindred.experiment.tuning.TunedFile;
import io.kindred.experiment.tuning.TuningPlan;
import io.kindred.experiment.tuning.TuningResults;
import io.kindred.experiment.tuning.TuningResults.MethodResult;
import io.kindred.experiment.tuning.TuningSearch;
import io.kindred.runtime.command.ExitCode;
import io.kindred.runtime.config.GridCell;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.OperatorException;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Gives every method the same number of tries on validation samples. */
@Command(
    name = "tune",
    mixinStandardHelpOptions = true,
    description = {
      "Gives every method the same number of tries, and chooses its settings by validation samples.",
      "",
      "The first try of a method has the settings of the file. The other tries vary the",
      "learning rate and the method's own settings over the ranges that 'kindred methods' lists.",
      "A try's score is the mean accuracy of the peers on their validation samples in the last",
      "round; no test sample is used. A failed try counts as a try. Of equal scores the earlier",
      "try is chosen.",
      "",
      "The folder gets tries.csv, the record of all tries, and tuned.yaml, an experiment file",
      "that runs every method with its chosen settings on the test samples. Finished tries are",
      "kept and unfinished tries are resumed, so repeating the command continues after a stop.",
      ""
    },
    footer = {
      "",
      "Ranges (--param KEY=RANGE):",
      "  training.momentum=0..0.9              for every method, numbers between bounds",
      "  \"method.lambda=0.01..1 log\"           for every method with this setting",
      "  dfca.clusters=2,3,4                   for one method, a list of values",
      "  training.learningRate=0.3x..3x        multiples of the file's value",
      "  training.learningRate=0.05            one value: the setting is not tuned",
      "",
      "Examples:",
      "  kindred tune experiments/first.yaml --methods fedavg,dfedavgm --budget 8",
      "  kindred sweep runs/first-tuning/tuned.yaml",
      "  kindred tune my.yaml --methods ditto,fedprox --budget 20 --seeds 1,2,3 \\",
      "    --param \"ditto.lambda=0.1..10 log\""
    })
final class TuneCommand implements Callable<Integer> {
  @Mixin private ExperimentOptions options;

  @Mixin private GridEngineOptions engine;

  @Option(
      names = "--methods",
      required = true,
      paramLabel = "A,B,...",
      description = "methods, each by name or written as in an experiment file")
  private String methods;

  @Option(
      names = "--budget",
      required = true,
      paramLabel = "N",
      description = "tries of each method, the settings of the file included")
  private int budget;

  @Option(
      names = "--search",
      paramLabel = "HOW",
      defaultValue = "random",
      description = "how settings are chosen: random (default), or grid")
  private String search;

  @Option(
      names = "--seeds",
      paramLabel = "1,2,...",
      split = ",",
      description = "seeds that a score is the mean over (default: the first seed of the file)")
  private List<Long> seeds = new ArrayList<>();

  @Option(
      names = "--param",
      paramLabel = "KEY=RANGE",
      description = "the range of a setting, in place of its own or beside; may be repeated")
  private List<String> ranges = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  TuneCommand() {}

  @Override
  public Integer call() throws IOException {
    TuningPlan.Request request =
        new TuningPlan.Request(
            budget, searchNamed(search), seeds, ranges.stream().map(KeyRange::parse).toList());
    TuningPlan plan =
        new TuningPlan(options.read(List.of("sweep.method=[" + methods + "]")), request);
    List<GridCell> cells = plan.cells();
    GridCommand.EngineFactory factory =
        engine.factory(options, Runtime.getRuntime().availableProcessors());
    Path folder = options.out().orElseGet(() -> Path.of("runs", options.baseName() + "-tuning"));
    notes(plan).forEach(System.err::println);
    return GridCommand.run(folder, cells, factory, results -> finish(plan, folder, cells, results));
  }

  private static TuningSearch searchNamed(String name) {
    return switch (name) {
      case "random" -> TuningSearch.RANDOM;
      case "grid" -> TuningSearch.GRID;
      default ->
          throw new OperatorException(
              OperatorException.WRONG_USE,
              "--search must be random or grid, but is '" + name + "'");
    };
  }

  private static List<String> notes(TuningPlan plan) {
    List<String> notes = new ArrayList<>();
    if (plan.addsValidation()) {
      notes.add(
          String.format(
              Locale.ROOT,
              "the file keeps no validation samples; evaluation.validation is set to %s, also in"
                  + " tuned.yaml",
              TuningPlan.VALIDATION_SHARE));
    }
    for (TuningPlan.MethodTries each : plan.methods()) {
      if (each.tries().size() < plan.request().budget()) {
        notes.add(
            "%s has only %d combinations of settings, fewer than the budget of %d"
                .formatted(each.method(), each.tries().size(), plan.request().budget()));
      }
    }
    return notes;
  }

  private int finish(TuningPlan plan, Path folder, List<GridCell> cells, GridRun.Results results)
      throws IOException {
    TuningResults tuned = TuningResults.of(plan, cells, results);
    Path record = folder.resolve("tries.csv");
    RunFolder.writeText(record, tuned.csv());
    String command = command(folder);
    if (results.stopped()) {
      System.err.println("stopped; resume with: " + command);
      return ExitCode.STOPPED;
    }
    Path file = folder.resolve("tuned.yaml");
    boolean anyChosen = !tuned.chosen().isEmpty();
    if (anyChosen) {
      RunFolder.writeText(file, TunedFile.text(plan, tuned, command));
    }
    if (options.json()) {
      System.out.print(Json.document(TuningDocument.of(tuned, anyChosen, file)));
    } else {
      System.out.print(tuned.table().text(TerminalColumns.ofTables()));
      System.out.println("all tries: " + record);
      if (anyChosen) {
        System.out.println("on the test samples: ./kindred sweep " + file);
      }
    }
    for (MethodResult method : tuned.methods()) {
      if (method.best().isEmpty()) {
        System.err.println(
            "failed: every try of %s; the first: %s"
                .formatted(method.method(), method.first().scores().getFirst().failure()));
      }
    }
    if (!anyChosen) {
      return results.completed().isEmpty() ? GridCommand.exitCode(results) : ExitCode.FAILED;
    }
    boolean allChosen = tuned.chosen().size() == tuned.methods().size();
    return allChosen ? ExitCode.DONE : ExitCode.PARTLY_FAILED;
  }

  /** The command line of this tuning, which also resumes it. */
  private String command(Path folder) {
    StringBuilder more = new StringBuilder();
    more.append(" --methods '").append(methods).append("' --budget ").append(budget);
    more.append(" --search ").append(search);
    if (!seeds.isEmpty()) {
      more.append(" --seeds ")
          .append(seeds.stream().map(String::valueOf).collect(Collectors.joining(",")));
    }
    ranges.forEach(each -> more.append(" --param '").append(each).append('\''));
    return options.resumeCommand(
        "tune" + engine.commandText(), more.append(" --out ").append(folder).toString());
  }
}
