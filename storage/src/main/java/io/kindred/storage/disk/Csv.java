package io.kindred.storage.disk;

import java.util.List;
import java.util.stream.Collectors;

/** Writes separated values as in RFC 4180. */
public final class Csv {
  private Csv() {}

  /** One line with its end. */
  public static String line(List<String> cells) {
    return cells.stream().map(Csv::quoted).collect(Collectors.joining(",", "", "\n"));
  }

  /** The cell, in quotation marks if it needs them. */
  private static String quoted(String cell) {
    return cell.matches("[^,\"\r\n]*") && cell.equals(cell.strip())
        ? cell
        : '"' + cell.replace("\"", "\"\"") + '"';
  }
}
