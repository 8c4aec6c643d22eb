package io.kindred.environment.trace;

import io.kindred.core.config.SettingException;
import io.kindred.core.config.TextFiles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A table from a text file: a line of column names, then one row a line, with commas between the
 * values. What follows a # is a comment. Columns that no one asks for are ignored, so that tables
 * of other programs need no editing.
 */
public final class TraceFile {
  private final String key;
  private final String path;
  private final List<Row> rows = new ArrayList<>();

  private TraceFile(String key, String path) {
    this.key = key;
    this.path = path;
  }

  /**
   * Reads a table, which must have the named columns and at least one row.
   *
   * @param key the setting that names the file, for messages
   */
  public static TraceFile read(String key, String path, TextFiles files, List<String> columns) {
    TraceFile trace = new TraceFile(key, path);
    String text =
        files
            .read(path)
            .orElseThrow(
                () -> new SettingException(key, "there is no file " + path, "correct the path"));
    List<String> lines = text.lines().toList();
    List<String> header = List.of();
    for (int i = 0; i < lines.size(); i++) {
      List<String> values = values(lines.get(i));
      if (values.isEmpty()) {
        continue;
      }
      if (header.isEmpty()) {
        header = values;
        trace.requireColumns(header, columns, i + 1);
      } else {
        trace.add(header, values, i + 1);
      }
    }
    if (trace.rows.isEmpty()) {
      throw new SettingException(
          key,
          path + " has no row",
          "write a line with the columns "
              + String.join(",", columns)
              + ", and a line for each row");
    }
    return trace;
  }

  private static List<String> values(String line) {
    String content = line.replaceFirst("#.*", "").strip();
    List<String> values = new ArrayList<>();
    if (!content.isEmpty()) {
      for (String value : content.split(",", -1)) {
        values.add(value.strip());
      }
    }
    return values;
  }

  private void requireColumns(List<String> header, List<String> columns, int line) {
    for (String column : columns) {
      if (!header.contains(column)) {
        throw invalidLine(
            line,
            "there is no column " + column,
            "begin with a line that names the columns " + String.join(",", columns));
      }
    }
  }

  private void add(List<String> header, List<String> values, int line) {
    if (values.size() != header.size()) {
      throw invalidLine(
          line,
          values.size() + " values stand under " + header.size() + " columns",
          "correct the line");
    }
    Map<String, String> byColumn = new LinkedHashMap<>();
    for (int i = 0; i < values.size(); i++) {
      byColumn.put(header.get(i), values.get(i));
    }
    rows.add(new Row(line, byColumn));
  }

  public List<Row> rows() {
    return List.copyOf(rows);
  }

  private SettingException invalidLine(int line, String problem, String remedy) {
    return new SettingException(key, path + ":" + line + ": " + problem, remedy);
  }

  /** One row of the table. */
  public final class Row {
    private final int line;
    private final Map<String, String> values;

    private Row(int line, Map<String, String> values) {
      this.line = line;
      this.values = values;
    }

    /** The time of the row in seconds; a table without a column of times holds from the start. */
    public double seconds() {
      return number("seconds", 0, 0, 1e9);
    }

    /** A number between two bounds; the fallback where the table has no such column. */
    public double number(String column, double fallback, double min, double max) {
      return values.containsKey(column) ? number(column, min, max) : fallback;
    }

    /** A number between two bounds. */
    public double number(String column, double min, double max) {
      String text = values.getOrDefault(column, "");
      double number;
      try {
        number = Double.parseDouble(text);
      } catch (NumberFormatException e) {
        throw invalidLine(
            line, "the " + column + " '" + text + "' is not a number", "correct the line");
      }
      if (!(number >= min && number <= max)) {
        throw invalidLine(
            line,
            "the " + column + " " + text + " is not between " + min + " and " + max,
            "correct the line");
      }
      return number;
    }

    /** The number of a peer. */
    public int peer(String column, int peers) {
      double number = number(column, 0, Integer.MAX_VALUE);
      if (number >= peers || number != Math.rint(number)) {
        throw invalidLine(
            line,
            "there is no peer " + values.get(column) + " among " + peers,
            "number the peers from 0 to " + (peers - 1) + ", or set 'peers' higher");
      }
      return (int) number;
    }

    /** A message about this row. */
    public SettingException invalid(String problem) {
      return invalidLine(line, problem, "correct the line");
    }
  }
}
