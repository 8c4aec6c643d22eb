package io.kindred.experiment;

import io.kindred.report.Comparison;
import io.kindred.report.HtmlReport;
import io.kindred.report.PairedDifference;
import io.kindred.report.PlotFiles;
import io.kindred.report.TableChart;
import io.kindred.report.run.RunReader;
import io.kindred.report.run.RunRecord;
import io.kindred.report.table.Table;
import io.kindred.runtime.config.TableShape;
import io.kindred.runtime.folder.RunFolder;
import io.kindred.storage.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes the results of a grid: the table in several formats and one HTML page, beside the folders
 * of the cells.
 */
public record GridReport(Table table, Path page, List<JsonNode> summaries) {
  public GridReport {
    summaries = List.copyOf(summaries);
  }

  public static GridReport write(
      Path folder, String title, TableShape shape, List<Double> targets, GridRun.Results results)
      throws IOException {
    RunReader reader = new RunReader();
    List<GridTable.CompletedCell> completedCell = new ArrayList<>();
    List<JsonNode> summaries = new ArrayList<>();
    for (GridRun.Completed completed : results.completed()) {
      completedCell.add(
          new GridTable.CompletedCell(completed.cell(), reader.read(completed.folder())));
      summaries.add(Json.tree(RunFolder.readText(new RunFolder(completed.folder()).summary())));
    }
    Table table = GridTable.of(shape, completedCell, targets);
    RunFolder.writeText(folder.resolve("table.txt"), table.text());
    RunFolder.writeText(folder.resolve("table.csv"), table.csv());
    RunFolder.writeText(folder.resolve("table.tex"), table.latex());
    RunFolder.writeText(folder.resolve("table.md"), table.markdown());
    List<RunRecord> runs = completedCell.stream().map(GridTable.CompletedCell::run).toList();
    addDifferences(Comparison.of(runs, targets), runs, summaries);
    Path page = folder.resolve("report.html");
    if (!runs.isEmpty()) {
      TableChart chart =
          shape.columns().isEmpty()
              ? new TableChart(
                  GridTable.of(shape.transposed(), completedCell, targets), shape.rows())
              : new TableChart(table, shape.columns());
      PlotFiles.write(folder.resolve("plots"), runs, Optional.of(chart));
      PlotFiles.writePngs(folder.resolve("plots"));
      new HtmlReport(title, runs, targets, Optional.of(chart)).write(page);
    }
    return new GridReport(table, page, summaries);
  }

  /**
   * Adds the difference from the best method to each summary, as one field, so that programs that
   * read the printed summaries find all other fields where they were.
   */
  private static void addDifferences(
      Comparison comparison, List<RunRecord> runs, List<JsonNode> summaries) {
    for (PairedDifference pair : comparison.differences()) {
      JsonNode difference = Json.tree(Json.document(pair.mapping()));
      comparison.methods().stream()
          .filter(method -> method.name().equals(pair.method()))
          .flatMap(method -> method.runs().stream())
          .map(run -> summaries.get(runs.indexOf(run)))
          .forEach(summary -> ((ObjectNode) summary).set(Comparison.AGAINST_BEST, difference));
    }
  }
}
