package io.kindred.lab.run;

import io.kindred.lab.experiment.GridCell;
import io.kindred.lab.experiment.TableShape;
import io.kindred.lab.report.Cell;
import io.kindred.lab.report.Column;
import io.kindred.lab.report.Comparison;
import io.kindred.lab.report.RunRecord;
import io.kindred.lab.report.Spread;
import io.kindred.lab.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The table that an experiment file describes, filled with what its cells came to. */
public final class GridTable {
  /** A finished cell and its results. */
  public record Filled(GridCell cell, RunRecord run) {}

  private GridTable() {}

  /**
   * Rows by columns of one figure, mean and deviation over seeds; without columns, the usual
   * comparison.
   */
  public static Table of(TableShape shape, List<Filled> cells, List<Double> targets) {
    if (shape.columns().isEmpty()) {
      return Comparison.of(cells.stream().map(Filled::run).toList(), targets).table();
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
    return new Table(shape.cell(), columns, rows);
  }

  private static Spread figure(
      TableShape shape, List<Filled> cells, String rowName, String columnName) {
    return Spread.overSeeds(
        cells.stream()
            .filter(each -> rowName(each, shape).equals(rowName))
            .filter(each -> each.cell().labelOf(shape.columns()).equals(columnName))
            .mapToDouble(each -> each.run().summary().number(shape.cell()))
            .toArray());
  }

  /**
   * The rows' own key first, then whatever else is swept, so that no two cells share a place but
   * for their seed; the method where nothing else is.
   */
  private static String rowName(Filled filled, TableShape shape) {
    String others =
        filled.cell().choices().stream()
            .filter(choice -> !choice.path().equals(shape.rows()))
            .filter(choice -> !choice.path().equals(shape.columns()))
            .filter(choice -> !choice.path().equals("seed"))
            .map(choice -> choice.path() + "=" + choice.label())
            .collect(Collectors.joining(", "));
    String own = filled.cell().labelOf(shape.rows());
    return Stream.of(own, others)
        .filter(Predicate.not(String::isEmpty))
        .reduce((first, second) -> first + ", " + second)
        .orElse(filled.run().method());
  }
}
