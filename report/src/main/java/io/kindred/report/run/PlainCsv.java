package io.kindred.report.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A small CSV file of numbers with a header; a run writes it as a whole and quotes nothing. */
record PlainCsv(Path file, List<String> header, List<List<String>> rows) {

  static PlainCsv read(Path file) throws IOException {
    List<String> lines =
        new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList();
    if (lines.isEmpty()) {
      throw new DamagedRunException(file, 1, "the header is missing");
    }
    List<String> header = cells(lines.getFirst());
    List<List<String>> rows = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      List<String> cells = cells(lines.get(i));
      if (cells.size() != header.size()) {
        throw new DamagedRunException(
            file, i + 1L, "expected " + header.size() + " cells, but found " + cells.size());
      }
      rows.add(cells);
    }
    return new PlainCsv(file, header, rows);
  }

  static List<String> cells(String line) {
    return List.of(line.split(",", -1)).stream().map(String::strip).toList();
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
