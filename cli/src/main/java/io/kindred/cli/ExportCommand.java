package io.kindred.cli;

import io.kindred.cli.export.MlflowClient;
import io.kindred.cli.export.TableFiles;
import io.kindred.cli.export.TensorBoard;
import io.kindred.report.run.RunReader;
import io.kindred.report.run.RunRecord;
import io.kindred.runtime.command.ExitCode;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.OperatorException;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Exports runs to the formats of other tools. */
@Command(
    name = "export",
    mixinStandardHelpOptions = true,
    description = {
      "Writes runs as Parquet, CSV or TensorBoard files, or logs them to an MLflow server.",
      "",
      "Each DIR is the folder of a run, or a folder that holds many runs, such as that of a grid.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  kindred export runs/demo --parquet tables --csv tables",
      "  kindred export runs/demo --tensorboard logs   then: tensorboard --logdir logs",
      "  kindred export runs/demo --mlflow http://localhost:5000"
    })
final class ExportCommand implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", arity = "1..*", description = "run folders, or folders of runs")
  private List<Path> folders = new ArrayList<>();

  @Option(
      names = "--parquet",
      paramLabel = "DIR",
      description = "write metrics, rounds and summary as Parquet")
  private @Nullable Path parquet;

  @Option(
      names = "--csv",
      paramLabel = "DIR",
      description = "write metrics, rounds and summary as CSV")
  private @Nullable Path csv;

  @Option(
      names = "--tensorboard",
      paramLabel = "DIR",
      description = "write an event file for each run, in a folder named after the run")
  private @Nullable Path tensorBoard;

  @Option(
      names = "--mlflow",
      paramLabel = "URL",
      description = "log settings and metrics to this tracking server")
  private @Nullable URI mlflow;

  @Option(
      names = "--experiment",
      paramLabel = "NAME",
      description = "MLflow experiment to log to (default: the name of the first folder)")
  private @Nullable String experiment;

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  ExportCommand() {}

  @Override
  public Integer call() throws IOException {
    if (parquet == null && csv == null && tensorBoard == null && mlflow == null) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "nothing to write; name at least one of --parquet, --csv, --tensorboard, --mlflow");
    }
    List<RunRecord> runs = new RunReader().readAll(RunFolder.runsIn(folders));
    SequencedMap<String, List<String>> written = new LinkedHashMap<>();
    if (parquet != null) {
      written.put("parquet", names(TableFiles.write(parquet, "parquet", runs)));
    }
    if (csv != null) {
      written.put("csv", names(TableFiles.write(csv, "csv", runs)));
    }
    if (tensorBoard != null) {
      written.put("tensorboard", names(TensorBoard.write(tensorBoard, runs)));
    }
    if (mlflow != null) {
      String name =
          experiment == null ? String.valueOf(folders.getFirst().getFileName()) : experiment;
      written.put(
          "mlflow", new MlflowClient(server(mlflow), System.currentTimeMillis()).log(name, runs));
    }
    print(written);
    return ExitCode.DONE;
  }

  private static URI server(URI named) {
    if (named.getHost() == null || !String.valueOf(named.getScheme()).matches("https?")) {
      throw new OperatorException(
          OperatorException.WRONG_USE,
          "--mlflow " + named + " is not a server address; write it as http://localhost:5000");
    }
    return named;
  }

  private void print(SequencedMap<String, List<String>> written) {
    if (json) {
      System.out.print(Json.document(written));
      return;
    }
    written.forEach(
        (form, names) ->
            names.forEach(
                name ->
                    System.out.println(
                        form.equals("mlflow") ? "logged: run " + name : "written: " + name)));
  }

  private static List<String> names(List<Path> files) {
    return files.stream().map(Path::toString).toList();
  }
}
