package io.kindred.learning.data.format;

import io.kindred.learning.data.DamagedDataException;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * Reads separated values as in RFC 4180: a value may be quoted, and then contain separators, line
 * ends and doubled quotation marks. Every row has the number of its first line.
 */
final class CsvParser {
  /** One row of the table and the line, from 1, where it begins. */
  record Row(long line, List<String> values) {}

  private CsvParser() {}

  /** All rows that are not empty. All rows must have the same number of values. */
  static List<Row> rows(String file, String text, char separator) {
    return checked(file, parse(file, text, separator));
  }

  /** Rows whose values are separated by any number of blanks, without quotation marks. */
  static List<Row> blankSeparated(String file, String text) {
    List<Row> rows = new ArrayList<>();
    long number = 0;
    for (String line : (Iterable<String>) text.lines()::iterator) {
      number++;
      if (!line.isBlank()) {
        rows.add(new Row(number, List.of(line.strip().split("\\s+"))));
      }
    }
    return checked(file, rows);
  }

  private static List<Row> checked(String file, List<Row> rows) {
    if (rows.isEmpty()) {
      throw new DamagedDataException(file, "line 1", "the file is empty");
    }
    int width = rows.getFirst().values.size();
    for (Row row : rows) {
      if (row.values.size() != width) {
        throw new DamagedDataException(
            file,
            "line " + row.line,
            row.values.size() + " values, but the first line has " + width);
      }
    }
    return rows;
  }

  private static List<Row> parse(String file, String text, char separator) {
    // Empty lines are read and left out here: the parser would not count the lines it skips.
    CSVFormat format =
        CSVFormat.RFC4180
            .builder()
            .setDelimiter(separator)
            .setIgnoreSurroundingSpaces(true)
            .setIgnoreEmptyLines(false)
            .get();
    List<Row> rows = new ArrayList<>();
    long line = 1;
    try (CSVParser parser = CSVParser.parse(new StringReader(text), format)) {
      Iterator<CSVRecord> records = parser.iterator();
      while (records.hasNext()) {
        List<String> values = records.next().toList();
        if (values.size() > 1 || !values.getFirst().isBlank()) {
          rows.add(new Row(line, values));
        }
        line = parser.getCurrentLineNumber() + 1;
      }
      return rows;
    } catch (IOException | UncheckedIOException wrongQuotes) {
      throw new DamagedDataException(
          file, "line " + line, "a quotation mark is not closed, or text follows a closing one");
    }
  }
}
