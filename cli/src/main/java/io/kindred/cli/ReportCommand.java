package io.kindred.cli;

import io.kindred.cli.progress.TerminalColumns;
import io.kindred.report.Comparison;
import io.kindred.report.HtmlReport;
import io.kindred.report.Judgement;
import io.kindred.report.MethodRuns;
import io.kindred.report.PlotFiles;
import io.kindred.report.run.RunReader;
import io.kindred.report.run.RunRecord;
import io.kindred.report.table.Table;
import io.kindred.runtime.command.ExitCode;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.OperatorException;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows the results of runs without running anything. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description = {
      "Compares existing runs.",
      "",
      "Each DIR is the folder of a run, or a folder that holds many runs, such as that of a grid.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  kindred report runs/demo --target 0.8",
      "  kindred report runs/demo --plots figures",
      "  kindred report runs/a-001 runs/b-001 --format html > both.html",
      "  kindred report runs/judged --against local --last 5 --common"
    })
final class ReportCommand implements Callable<Integer> {
  /** The output format of the report. */
  enum Format {
    TABLE,
    CSV,
    LATEX,
    HTML
  }

  @Parameters(paramLabel = "DIR", arity = "1..*", description = "run folders, or folders of runs")
  private List<Path> folders = new ArrayList<>();

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "table",
      description = "table, csv, latex or html (default: table)")
  private Format format;

  @Option(
      names = "--plots",
      paramLabel = "DIR",
      description = "also write every figure to this folder, as SVG and as PNG")
  private @Nullable Path plots;

  @Option(
      names = "--against",
      paramLabel = "METHOD",
      description =
          "show each method's paired difference from this one, with its 95%% interval over seeds"
              + " and peers, in place of the table; a name as in the table, or a part of one")
  private @Nullable String against;

  @Option(
      names = "--last",
      paramLabel = "N",
      description =
          "with --against: mean over this many evaluated rounds at the end"
              + " (default: ${DEFAULT-VALUE})")
  private int last = 1;

  @Option(
      names = "--common",
      description = "with --against: accuracy on the common test set in place of own samples")
  private boolean common;

  @Option(names = "--json", description = "print the table as one JSON document")
  private boolean json;

  @Mixin private TargetOptions targets;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  ReportCommand() {}

  @Override
  public Integer call() throws IOException {
    List<RunRecord> records = new RunReader().readAll(RunFolder.runsIn(folders));
    String title = String.valueOf(folders.getFirst().getFileName());
    Comparison comparison = Comparison.of(records, targets.targets());
    Table table = comparison.table();
    if (against != null) {
      table = judgement(comparison, against).table();
    } else if (last != 1 || common) {
      throw wrong("--last and --common need --against", "name a method, such as --against local");
    }
    if (plots != null) {
      PlotFiles.write(plots, records);
      PlotFiles.writePngs(plots);
    }
    if (json) {
      System.out.print(Json.document(against == null ? comparison.mappings() : table.mappings()));
      return ExitCode.DONE;
    }
    System.out.print(
        switch (format) {
          case TABLE -> table.text(TerminalColumns.ofTables());
          case CSV -> table.csv();
          case LATEX -> table.latex();
          case HTML -> new HtmlReport(title, records, targets.targets(), Optional.empty()).render();
        });
    return ExitCode.DONE;
  }

  private Judgement judgement(Comparison comparison, String wanted) {
    if (last < 1) {
      throw wrong("--last " + last + " is too few", "choose at least 1");
    }
    if (!comparison.comparable()) {
      throw wrong("these runs solve different tasks", "name the folders of one task");
    }
    List<String> names = comparison.methods().stream().map(MethodRuns::name).toList();
    List<String> matching =
        names.contains(wanted)
            ? List.of(wanted)
            : names.stream().filter(name -> name.contains(wanted)).toList();
    if (matching.size() != 1) {
      throw wrong(
          "--against " + wanted + " means " + matching.size() + " methods of these runs",
          "choose one of: " + String.join("; ", names));
    }
    return new Judgement(comparison.methods(), matching.getFirst(), last, common);
  }

  private static OperatorException wrong(String problem, String remedy) {
    return new OperatorException(OperatorException.WRONG_USE, problem + "; " + remedy);
  }
}
