package io.kindred.report.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Writes tables as aligned text and as CSV. */
final class TextTables {
  private static final String GAP = "  ";

  /** Columns that a row's name keeps beside a column that is very wide. */
  private static final int LEAST_NAME = 12;

  /** No table is readable on a terminal narrower than this. */
  private static final int LEAST_WIDTH = 40;

  private TextTables() {}

  /**
   * A table that is too wide continues below itself with the other columns, the first column
   * repeated, so that no line is wider than the terminal.
   */
  static String terminal(Table table, int terminalColumns) {
    int width = Math.max(LEAST_WIDTH, terminalColumns);
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
    int[] widths = widths(lines, columns, width);
    StringBuilder out = new StringBuilder();
    for (List<Integer> block : blocks(widths, width)) {
      out.append(out.isEmpty() ? "" : "\n");
      for (int i = 0; i < lines.size(); i++) {
        append(out, table, lines.get(i), block, widths);
        if (i == 0) {
          List<String> rules = Arrays.stream(widths).mapToObj("-"::repeat).toList();
          append(out, table, rules, block, widths);
        }
      }
    }
    if (!table.shownNote().isEmpty()) {
      TextWidth.wrap("* best, ~ " + table.shownNote(), width)
          .forEach(line -> out.append(line).append('\n'));
    }
    for (String remark : table.remarks()) {
      TextWidth.wrap(remark, width).forEach(line -> out.append(line).append('\n'));
    }
    return out.toString();
  }

  /** The widths of the columns; any column fits beside the first one. */
  private static int[] widths(List<List<String>> lines, int columns, int width) {
    int[] widths = new int[columns];
    for (List<String> line : lines) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], TextWidth.length(line.get(i)));
      }
    }
    int widest = 0;
    for (int i = 1; i < columns; i++) {
      widths[i] = Math.min(widths[i], width - GAP.length() - Math.min(widths[0], LEAST_NAME));
      widest = Math.max(widest, GAP.length() + widths[i]);
    }
    widths[0] = Math.min(widths[0], width - widest);
    return widths;
  }

  /** The columns of each part of the table: the first column, and as many others as fit. */
  private static List<List<Integer>> blocks(int[] widths, int width) {
    List<List<Integer>> blocks = new ArrayList<>();
    List<Integer> block = new ArrayList<>(List.of(0));
    int used = widths[0];
    for (int i = 1; i < widths.length; i++) {
      if (used + GAP.length() + widths[i] > width) {
        blocks.add(block);
        block = new ArrayList<>(List.of(0));
        used = widths[0];
      }
      block.add(i);
      used += GAP.length() + widths[i];
    }
    blocks.add(block);
    return blocks;
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

  private static void append(
      StringBuilder out, Table table, List<String> cells, List<Integer> block, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i : block) {
      String cell = TextWidth.shorten(cells.get(i), widths[i]);
      String padding = " ".repeat(widths[i] - TextWidth.length(cell));
      boolean right = table.columns().get(i).align() == Column.Align.RIGHT;
      line.append(i == 0 ? "" : GAP);
      line.append(right ? padding + cell : cell + padding);
    }
    out.append(line.toString().stripTrailing()).append('\n');
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
