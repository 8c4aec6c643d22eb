package io.kindred.report.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** A small CSV file of numbers with a header; a run writes it as a whole, one row a line. */
record PlainCsv(Path file, List<String> header, List<List<String>> rows) {
  private static final CSVFormat FORMAT =
      CSVFormat.RFC4180.builder().setIgnoreSurroundingSpaces(true).setIgnoreEmptyLines(false).get();

  static PlainCsv read(Path file) throws IOException {
    List<List<String>> lines = lines(file);
    if (lines.isEmpty()) {
      throw new DamagedRunException(file, 1, "the header is missing");
    }
    List<String> header = lines.getFirst();
    List<List<String>> rows = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      List<String> cells = lines.get(i);
      if (cells.size() != header.size()) {
        throw new DamagedRunException(
            file, i + 1L, "expected " + header.size() + " cells, but found " + cells.size());
      }
      rows.add(cells);
    }
    return new PlainCsv(file, header, rows);
  }

  /** The cells of every line, also of an empty one, which has one empty cell. */
  static List<List<String>> lines(Path file) throws IOException {
    List<List<String>> lines = new ArrayList<>();
    try (CSVParser parser = CSVParser.parse(file, StandardCharsets.UTF_8, FORMAT)) {
      for (CSVRecord line : parser) {
        lines.add(line.toList());
      }
      return lines;
    } catch (UncheckedIOException wrongQuotes) {
      throw new DamagedRunException(
          file, lines.size() + 1L, "a quotation mark is not closed before a comma or line end");
    }
  }

  String text(int row, String column) throws DamagedRunException {
    int position = header.indexOf(column);
    if (position < 0) {
      throw new DamagedRunException(file, 1, "the header must name " + column);
    }
    return rows.get(row).get(position);
  }

  double number(int row, int column) throws DamagedRunException {
    try {
      return Double.parseDouble(rows.get(row).get(column));
    } catch (NumberFormatException notANumber) {
      throw new DamagedRunException(
          file, row + 2L, "expected a number, but found '" + rows.get(row).get(column) + "'");
    }
  }
}
