package io.kindred.lab.run;

import io.kindred.files.json.Json;
import io.kindred.lab.experiment.TableShape;
import io.kindred.lab.report.HtmlReport;
import io.kindred.lab.report.PlotFiles;
import io.kindred.lab.report.RunReader;
import io.kindred.lab.report.RunRecord;
import io.kindred.lab.report.Table;
import io.kindred.lab.report.TableChart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * What a grid came to: the table in several formats and one page, beside the folders of the cells.
 */
public record GridReport(Table table, Path page, List<JsonNode> summaries) {
  public GridReport {
    summaries = List.copyOf(summaries);
  }

  public static GridReport write(
      Path folder, String title, TableShape shape, List<Double> targets, GridRun.Results results)
      throws IOException {
    RunReader reader = new RunReader();
    List<GridTable.Filled> filled = new ArrayList<>();
    List<JsonNode> summaries = new ArrayList<>();
    for (GridRun.Done done : results.done()) {
      filled.add(new GridTable.Filled(done.cell(), reader.read(done.folder())));
      summaries.add(Json.tree(RunFolder.readText(new RunFolder(done.folder()).summary())));
    }
    Table table = GridTable.of(shape, filled, targets);
    RunFolder.writeText(folder.resolve("table.txt"), table.text());
    RunFolder.writeText(folder.resolve("table.csv"), table.csv());
    RunFolder.writeText(folder.resolve("table.tex"), table.latex());
    RunFolder.writeText(folder.resolve("table.md"), table.markdown());
    List<RunRecord> runs = filled.stream().map(GridTable.Filled::run).toList();
    Path page = folder.resolve("report.html");
    if (!runs.isEmpty()) {
      TableChart chart =
          shape.columns().isEmpty()
              ? new TableChart(GridTable.of(shape.across(), filled, targets), shape.rows())
              : new TableChart(table, shape.columns());
      PlotFiles.write(folder.resolve("plots"), runs, Optional.of(chart));
      PlotFiles.paint(folder.resolve("plots"));
      new HtmlReport(title, runs, targets, Optional.of(chart)).write(page);
    }
    return new GridReport(table, page, summaries);
  }
}
