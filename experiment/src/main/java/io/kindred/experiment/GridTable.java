package io.kindred.experiment;

import io.kindred.report.Comparison;
import io.kindred.report.DetectableDifferences;
import io.kindred.report.PairedDifference;
import io.kindred.report.run.RunRecord;
import io.kindred.report.table.Cell;
import io.kindred.report.table.Column;
import io.kindred.report.table.Spread;
import io.kindred.report.table.Table;
import io.kindred.runtime.config.GridCell;
import io.kindred.runtime.config.TableShape;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The table that an experiment file describes, filled with the results of its cells. */
public final class GridTable {
  private static final String LAST_ACCURACY = "accuracy.local.mean";

  private static final String OPTIMISTIC =
      "best round: optimistic, because the round is chosen on the samples that it is measured on;"
          + " the last round is cell: "
          + LAST_ACCURACY;

  /** A finished cell and its results. */
  public record CompletedCell(GridCell cell, RunRecord run) {}

  private GridTable() {}

  /**
   * One figure by rows and columns, as mean and deviation over seeds; the default comparison if the
   * file names no columns.
   */
  public static Table of(TableShape shape, List<CompletedCell> cells, List<Double> targets) {
    if (shape.columns().isEmpty()) {
      return Comparison.of(cells.stream().map(CompletedCell::run).toList(), targets).table();
    }
    List<String> rowNames = cells.stream().map(each -> rowName(each, shape)).distinct().toList();
    List<String> columnNames =
        cells.stream().map(each -> each.cell().labelOf(shape.columns())).distinct().toList();
    List<Column> columns = new ArrayList<>();
    columns.add(Column.words(shape.rows()));
    for (String name : columnNames) {
      columns.add(
          shape.cell().startsWith("accuracy")
              ? Column.percent(name, Column.Best.HIGHEST)
              : Column.numbers(name, 3, Column.Best.NONE));
    }
    List<List<Cell>> rows = new ArrayList<>();
    for (String rowName : rowNames) {
      List<Cell> row = new ArrayList<>();
      row.add(Cell.of(rowName));
      for (String columnName : columnNames) {
        row.add(Cell.of(figure(shape, cells, rowName, columnName)));
      }
      rows.add(row);
    }
    return new Table(
        isBestRound(shape) ? shape.cell() + " (best round, optimistic)" : shape.cell(),
        columns,
        rows,
        "",
        isBestRound(shape) ? List.of(OPTIMISTIC) : remarks(shape, cells, columnNames));
  }

  private static boolean isBestRound(TableShape shape) {
    return shape.cell().endsWith(".best");
  }

  /** Compares the rows of each column, whose cells solve the same task. */
  private static List<String> remarks(
      TableShape shape, List<CompletedCell> cells, List<String> columnNames) {
    if (!shape.cell().equals(LAST_ACCURACY)) {
      return List.of();
    }
    List<PairedDifference> pairs = new ArrayList<>();
    for (String column : columnNames) {
      List<RunRecord> runs =
          cells.stream()
              .filter(each -> each.cell().labelOf(shape.columns()).equals(column))
              .map(CompletedCell::run)
              .toList();
      pairs.addAll(Comparison.of(runs).differences());
    }
    return new DetectableDifferences(pairs).lines();
  }

  private static Spread figure(
      TableShape shape, List<CompletedCell> cells, String rowName, String columnName) {
    return Spread.overSeeds(
        cells.stream()
            .filter(each -> rowName(each, shape).equals(rowName))
            .filter(each -> each.cell().labelOf(shape.columns()).equals(columnName))
            .mapToDouble(each -> each.run().summary().number(shape.cell()))
            .toArray());
  }

  /**
   * The value of the row key first, then all other swept keys, so that only cells which differ by
   * seed share a row; the method's name if nothing else is swept.
   */
  private static String rowName(CompletedCell completedCell, TableShape shape) {
    String others =
        completedCell.cell().choices().stream()
            .filter(choice -> !choice.path().equals(shape.rows()))
            .filter(choice -> !choice.path().equals(shape.columns()))
            .filter(choice -> !choice.path().equals("seed"))
            .map(choice -> choice.path() + "=" + choice.label())
            .collect(Collectors.joining(", "));
    String own = completedCell.cell().labelOf(shape.rows());
    return Stream.of(own, others)
        .filter(Predicate.not(String::isEmpty))
        .reduce((first, second) -> first + ", " + second)
        .orElse(completedCell.run().method());
  }
}
