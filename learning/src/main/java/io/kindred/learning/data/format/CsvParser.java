package io.kindred.learning.data.format;

import io.kindred.learning.data.DamagedDataException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A parser of separated values as in RFC 4180: a value may be quoted, and then contain separators,
 * line ends and doubled quotation marks. Every row has the number of its first line.
 */
final class CsvParser {
  /** One row of the table and the line, from 1, where it begins. */
  record Row(int line, List<String> values) {}

  private final String file;
  private final String text;
  private final char separator;
  private int at;
  private int line = 1;

  private CsvParser(String file, String text, char separator) {
    this.file = file;
    this.text = text;
    this.separator = separator;
  }

  /** All rows that are not empty. All rows must have the same number of values. */
  static List<Row> rows(String file, byte[] bytes, char separator) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    // Some programs write a byte order mark first.
    String plain = text.startsWith("\uFEFF") ? text.substring(1) : text;
    CsvParser csv = new CsvParser(file, plain, separator);
    List<Row> rows = new ArrayList<>();
    while (csv.at < plain.length()) {
      Row row = csv.row();
      if (row.values.size() > 1 || !row.values.getFirst().isBlank()) {
        rows.add(row);
      }
    }
    if (rows.isEmpty()) {
      throw new DamagedDataException(file, "line 1", "the file is empty");
    }
    int width = rows.getFirst().values.size();
    for (Row row : rows) {
      if (row.values.size() != width) {
        throw new DamagedDataException(
            file,
            "line " + row.line,
            row.values.size() + " values where the first line has " + width);
      }
    }
    return rows;
  }

  private Row row() {
    int begins = line;
    List<String> values = new ArrayList<>();
    while (true) {
      values.add(value());
      if (at < text.length() && text.charAt(at) == separator) {
        at++;
      } else {
        endOfLine();
        return new Row(begins, values);
      }
    }
  }

  private void endOfLine() {
    if (at < text.length() && text.charAt(at) == '\r') {
      at++;
    }
    if (at < text.length() && text.charAt(at) == '\n') {
      at++;
    }
    line++;
  }

  private String value() {
    if (at < text.length() && text.charAt(at) == '"') {
      return quoted();
    }
    int from = at;
    while (at < text.length()
        && "\r\n".indexOf(text.charAt(at)) < 0
        && text.charAt(at) != separator) {
      at++;
    }
    return text.substring(from, at).strip();
  }

  private String quoted() {
    int begins = line;
    StringBuilder value = new StringBuilder();
    at++;
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '\n') {
        line++;
      }
      if (c != '"') {
        value.append(c);
      } else if (at < text.length() && text.charAt(at) == '"') {
        value.append('"');
        at++;
      } else {
        return value.toString();
      }
    }
    throw new DamagedDataException(
        file, "line " + begins, "a quotation mark opens that nothing closes");
  }
}
