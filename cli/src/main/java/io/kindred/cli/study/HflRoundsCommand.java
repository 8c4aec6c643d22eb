package io.kindred.cli.study;

import io.kindred.cli.progress.TerminalColumns;
import io.kindred.report.run.Evaluations;
import io.kindred.report.run.RunReader;
import io.kindred.report.table.Table;
import io.kindred.runtime.command.ExitCode;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.OperatorException;
import io.kindred.storage.json.Json;
import io.kindred.studies.hfl.RoundsStudy;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Interpolates how many rounds runs need to reach a target. */
@Command(
    name = "rounds",
    mixinStandardHelpOptions = true,
    description = {
      "Interpolates how many global rounds each variant of cluster formation needs to reach a target.",
      "",
      "The target is the accuracy on the common test set that the reference has after --target-round",
      "rounds. Curves are means over seeds, interpolated by monotone cubic pieces. 'wins when t <='",
      "is the longest time that a variant may take to collect its features and still be faster than",
      "the reference. 'cannot win when t_phi <' is the reference's time to collect features below",
      "which the variant cannot be faster at all.",
      "",
      "With --error, shows when the error on the common test set first fell to --target.",
      ""
    })
final class HflRoundsCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", arity = "1..*", description = "run folders, or folders of runs")
  private List<Path> folders = new ArrayList<>();

  @Option(
      names = "--reference",
      paramLabel = "WAY",
      defaultValue = "1.1",
      description = "variant whose accuracy is the target (default: ${DEFAULT-VALUE})")
  private String reference;

  @Option(
      names = "--target-round",
      paramLabel = "N",
      defaultValue = "16",
      description = "round whose accuracy is the target (default: ${DEFAULT-VALUE})")
  private int round;

  @Option(
      names = "--feature-time",
      paramLabel = "T",
      defaultValue = "50",
      description =
          "t_phi, the reference's time to collect features, in steps (default: ${DEFAULT-VALUE})")
  private double featureTime;

  @Option(
      names = "--global-time",
      paramLabel = "T",
      defaultValue = "100",
      description = "t_g of a global round, in steps (default: ${DEFAULT-VALUE})")
  private double globalTime;

  @Option(
      names = "--sync-time",
      paramLabel = "T",
      defaultValue = "30",
      description =
          "t_sync, the time in which clusters and coordinator synchronize, in steps (default:"
              + " ${DEFAULT-VALUE})")
  private double syncTime;

  @Option(
      names = "--error",
      paramLabel = "UNIT",
      description = "use an error instead of the accuracy: millimetres or degrees")
  private Optional<Unit> error = Optional.empty();

  @Option(
      names = "--target",
      paramLabel = "AMOUNT",
      defaultValue = "5",
      description = "with --error, the error to reach (default: ${DEFAULT-VALUE})")
  private double target;

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  /** The unit of an error. */
  enum Unit {
    MILLIMETRES(Evaluations.MILLIMETRES),
    DEGREES(Evaluations.DEGREES);

    private final String figure;

    Unit(String figure) {
      this.figure = figure;
    }
  }

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  HflRoundsCommand() {}

  @Override
  public Integer call() throws IOException {
    RoundsStudy study = new RoundsStudy(new RunReader().readAll(RunFolder.runsIn(folders)));
    if (error.isPresent()) {
      print(study.errors(error.get().figure, target));
      return ExitCode.DONE;
    }
    if (!study.hasVariant(reference)) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "--reference "
              + reference
              + " has no run here; choose one of "
              + String.join(", ", study.variantNames()));
    }
    print(
        study.table(
            reference, round, new RoundsStudy.StepTimes(featureTime, globalTime, syncTime)));
    return ExitCode.DONE;
  }

  private void print(Table table) {
    System.out.print(
        json ? Json.document(table.mappings()) : table.text(TerminalColumns.ofTables()));
  }
}
