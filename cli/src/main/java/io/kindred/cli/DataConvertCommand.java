package io.kindred.cli;

import io.kindred.cli.data.DuckDbParquet;
import io.kindred.runtime.command.ExitCode;
import io.kindred.storage.OperatorException;
import io.kindred.storage.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a Parquet file as CSV, for programs that read no Parquet. */
@Command(
    name = "convert",
    mixinStandardHelpOptions = true,
    description = {
      "Writes a Parquet file as CSV.",
      "",
      "Experiments read Parquet themselves; a node reads only CSV.",
      ""
    })
final class DataConvertCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "FILE.parquet", description = "the file to read")
  private Path from;

  @Parameters(index = "1", paramLabel = "FILE.csv", description = "the file to write")
  private Path to;

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  DataConvertCommand() {}

  @Override
  public Integer call() {
    if (!Files.isRegularFile(from)) {
      throw new OperatorException(
          OperatorException.DATA_MISSING, from + " does not exist; name a Parquet file");
    }
    DuckDbParquet.toCsv(from, to);
    System.out.print(
        json ? Json.document(Map.of("written", to.toString())) : "written: " + to + "\n");
    return ExitCode.DONE;
  }
}
