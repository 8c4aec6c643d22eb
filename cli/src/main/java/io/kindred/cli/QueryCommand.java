package io.kindred.cli;

import io.kindred.cli.query.QueryResult;
import io.kindred.cli.query.RunTables;
import io.kindred.runtime.command.ExitCode;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Queries runs in SQL. */
@Command(
    name = "query",
    mixinStandardHelpOptions = true,
    description = {
      "Queries a run, or a folder of runs, in SQL.",
      "",
      "Tables: metrics (one row for each evaluation of a peer), rounds and summary. The column run",
      "names the run folder. The query 'describe metrics' lists the columns of metrics.",
      ""
    },
    footer = {
      "",
      "  kindred query runs/first-001 \\",
      "    \"select round, avg(accuracy) from metrics group by 1 order by 1\"",
      "  kindred query runs/my-sweep \"select run, accuracy.local.mean from summary\"",
      "  kindred query runs/my-sweep \"select * from metrics\" --out metrics.parquet"
    })
final class QueryCommand implements Callable<Integer> {
  @Parameters(index = "0", paramLabel = "DIR", description = "a run folder, or a folder of runs")
  private Path folder;

  @Parameters(index = "1", paramLabel = "SQL", description = "a query in DuckDB's SQL")
  private String sql;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "write rows to a .parquet, .csv or .json file instead of printing them")
  private @Nullable Path out;

  @Option(names = "--json", description = "print one JSON document")
  private boolean json;

  @SuppressWarnings("NullAway.Init") // the command line sets the fields before anything runs
  QueryCommand() {}

  @Override
  public Integer call() throws IOException {
    try (RunTables tables = RunTables.open(RunFolder.runsIn(folder))) {
      if (out != null) {
        tables.write(sql, out);
        System.out.println("written: " + out);
      } else {
        QueryResult queryResult = tables.query(sql);
        System.out.print(json ? Json.document(queryResult.mappings()) : queryResult.text());
      }
    }
    return ExitCode.DONE;
  }
}
