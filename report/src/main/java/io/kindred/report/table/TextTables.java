package io.kindred.report.table;

import java.util.ArrayList;
import java.util.List;

/** Writes tables as aligned text and as CSV. */
final class TextTables {
  private static final String GAP = "  ";

  private TextTables() {}

  static String terminal(Table table) {
    int columns = table.columns().size();
    List<List<String>> lines = new ArrayList<>();
    lines.add(table.columns().stream().map(TextTables::head).toList());
    for (int row = 0; row < table.rows().size(); row++) {
      List<String> cells = new ArrayList<>();
      for (int column = 0; column < columns; column++) {
        cells.add(cell(table, row, column));
      }
      lines.add(cells);
    }
    int[] widths = new int[columns];
    for (List<String> line : lines) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], length(line.get(i)));
      }
    }
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < lines.size(); i++) {
      append(out, table, lines.get(i), widths);
      if (i == 0) {
        List<String> rules = new ArrayList<>();
        for (int width : widths) {
          rules.add("-".repeat(width));
        }
        append(out, table, rules, widths);
      }
    }
    if (!table.shownNote().isEmpty()) {
      out.append("* best, ~ ").append(table.shownNote()).append('\n');
    }
    return out.toString();
  }

  /** A column that can have stars reserves space for them, so that digits stay aligned. */
  private static String cell(Table table, int row, int column) {
    String text = table.cellText(row, column, " ± ");
    if (table.columns().get(column).best() == Column.Best.NONE) {
      return text;
    }
    return text + (table.isBest(row, column) ? "*" : table.isTied(row, column) ? "~" : " ");
  }

  private static String head(Column column) {
    return column.best() == Column.Best.NONE ? column.header() : column.header() + " ";
  }

  private static void append(StringBuilder out, Table table, List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      String padding = " ".repeat(widths[i] - length(cells.get(i)));
      boolean right = table.columns().get(i).align() == Column.Align.RIGHT;
      line.append(i == 0 ? "" : GAP);
      line.append(right ? padding + cells.get(i) : cells.get(i) + padding);
    }
    out.append(line.toString().stripTrailing()).append('\n');
  }

  private static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  static String csv(Table table) {
    StringBuilder out = new StringBuilder();
    List<String> header = new ArrayList<>();
    for (int i = 0; i < table.columns().size(); i++) {
      String name = table.columns().get(i).header();
      header.add(name);
      if (table.repeated(i)) {
        header.add(name + " std");
      }
    }
    appendCsv(out, header);
    for (List<Cell> row : table.rows()) {
      List<String> cells = new ArrayList<>();
      for (int i = 0; i < row.size(); i++) {
        addCsv(cells, table.columns().get(i), row.get(i), table.repeated(i));
      }
      appendCsv(out, cells);
    }
    return out.toString();
  }

  private static void addCsv(List<String> cells, Column column, Cell cell, boolean repeated) {
    String deviation = "";
    switch (cell) {
      case Cell.Text(String text) -> cells.add(text);
      // A dash is for readers; programs get an empty field.
      case Cell.Absent() -> cells.add("");
      case Cell.Measured(Spread value, _) -> {
        cells.add(precise(column, value.mean()));
        deviation = value.repeated() ? precise(column, value.std()) : "";
      }
    }
    if (repeated) {
      cells.add(deviation);
    }
  }

  /** Four digits more than shown, rounded to remove the error of the scaling. */
  private static String precise(Column column, double value) {
    String text = column.print(value, column.decimals() + 4);
    String trimmed = text.replaceAll("0+$", "");
    return trimmed.endsWith(".") ? trimmed.substring(0, trimmed.length() - 1) : trimmed;
  }

  private static void appendCsv(StringBuilder out, List<String> cells) {
    List<String> quoted = new ArrayList<>();
    for (String cell : cells) {
      boolean special = cell.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
      quoted.add(special ? '"' + cell.replace("\"", "\"\"") + '"' : cell);
    }
    out.append(String.join(",", quoted)).append("\r\n");
  }
}
