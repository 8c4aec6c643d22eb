package io.kindred.report.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * A table that can be printed for a terminal, a spreadsheet, a paper or a web page.
 *
 * @param note meaning of the mark for values tied with the best; printed only if a cell has the
 *     mark
 * @param remarks sentences about the whole table, printed below it
 */
public record Table(
    String caption,
    List<Column> columns,
    List<List<Cell>> rows,
    String note,
    List<String> remarks) {
  public Table {
    remarks = List.copyOf(remarks);
    columns = List.copyOf(columns);
    rows = rows.stream().map(List::copyOf).toList();
    for (List<Cell> row : rows) {
      if (row.size() != columns.size()) {
        throw new IllegalArgumentException(
            "expected " + columns.size() + " cells in a row, but got " + row.size());
      }
    }
  }

  public Table(String caption, List<Column> columns, List<List<Cell>> rows) {
    this(caption, columns, rows, "", List.of());
  }

  /** For a terminal: aligned by spaces, header underlined, best values marked with a star. */
  public String text() {
    return text(Integer.MAX_VALUE);
  }

  /** The same in parts one below the other, none of which is wider than the terminal. */
  public String text(int columns) {
    return TextTables.terminal(this, columns);
  }

  /** RFC 4180; a column measured several times is followed by one with its deviation. */
  public String csv() {
    return TextTables.csv(this);
  }

  /** A booktabs tabular. */
  public String latex() {
    return MarkupTables.latex(this);
  }

  /** A table element, with best values strong and values tied with them emphasized. */
  public String html() {
    return MarkupTables.html(this);
  }

  /** A pipe table, with best values bold and values tied with them in italics. */
  public String markdown() {
    return MarkupTables.markdown(this);
  }

  /** One mapping per row, for JSON: the columns of the CSV form, and which values are marked. */
  public List<SequencedMap<String, Object>> mappings() {
    List<SequencedMap<String, Object>> mappings = new ArrayList<>();
    for (int row = 0; row < rows.size(); row++) {
      SequencedMap<String, Object> mapping = new LinkedHashMap<>();
      SequencedMap<String, String> marks = new LinkedHashMap<>();
      for (int column = 0; column < columns.size(); column++) {
        Column head = columns.get(column);
        switch (rows.get(row).get(column)) {
          case Cell.Text(String text) -> mapping.put(head.header(), text);
          case Cell.Absent() -> {}
          case Cell.Measured(Spread value, _) -> {
            mapping.put(head.header(), head.scale() * value.mean());
            if (value.repeated()) {
              mapping.put(head.header() + " std", head.scale() * value.std());
            }
          }
        }
        if (isBest(row, column) || isTied(row, column)) {
          marks.put(head.header(), isBest(row, column) ? "best" : "level");
        }
      }
      if (!marks.isEmpty()) {
        mapping.put("marks", marks);
      }
      mappings.add(mapping);
    }
    return mappings;
  }

  /** Whether the cell holds the best value of its column; ties as printed are all best. */
  boolean isBest(int row, int column) {
    Column head = columns.get(column);
    if (head.best() == Column.Best.NONE
        || !(rows.get(row).get(column) instanceof Cell.Measured(Spread own, _))) {
      return false;
    }
    List<Double> printed = new ArrayList<>();
    for (List<Cell> other : rows) {
      if (other.get(column) instanceof Cell.Measured(Spread spread, _)) {
        printed.add(Double.valueOf(head.print(spread.mean())));
      }
    }
    double mine = Double.parseDouble(head.print(own.mean()));
    double low = printed.stream().mapToDouble(Double::doubleValue).min().orElse(mine);
    double high = printed.stream().mapToDouble(Double::doubleValue).max().orElse(mine);
    // If all values are equal, a mark would mean nothing.
    return low < high && mine == (head.best() == Column.Best.HIGHEST ? high : low);
  }

  /** The note, or nothing if no cell has the mark that it explains. */
  String shownNote() {
    for (int row = 0; row < rows.size(); row++) {
      for (int column = 0; column < columns.size(); column++) {
        if (isTied(row, column)) {
          return note;
        }
      }
    }
    return "";
  }

  /** Whether the cell is not the best of its column but tied with it. */
  boolean isTied(int row, int column) {
    return rows.get(row).get(column) instanceof Cell.Measured(_, boolean tied)
        && tied
        && !isBest(row, column);
  }

  /** The cell as printed, without any mark; the given sign separates mean and deviation. */
  public String cellText(int row, int column, String plusMinus) {
    Column head = columns.get(column);
    return switch (rows.get(row).get(column)) {
      case Cell.Text(String text) -> text;
      case Cell.Absent() -> "-";
      case Cell.Measured(Spread value, _) ->
          value.repeated()
              ? head.print(value.mean()) + plusMinus + head.print(value.std())
              : head.print(value.mean());
    };
  }

  public boolean repeated(int column) {
    return rows.stream()
        .anyMatch(
            row -> row.get(column) instanceof Cell.Measured(Spread value, _) && value.repeated());
  }
}
