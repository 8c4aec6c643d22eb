package io.kindred.learning.data;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The cells of a table as text.
 *
 * @param file for messages
 * @param columns the names of the columns
 */
public record RawTable(String file, List<String> columns, List<Row> rows) {
  /**
   * One row.
   *
   * @param place where the row is in its file, such as {@code line 7}
   * @param values as many as there are columns; empty for a missing cell
   */
  public record Row(String place, List<String> values) {
    public Row {
      values = List.copyOf(values);
    }
  }

  public RawTable {
    columns = List.copyOf(columns);
    rows = List.copyOf(rows);
    Set<String> seen = new LinkedHashSet<>();
    for (String each : columns) {
      if (!seen.add(each)) {
        throw new DamagedDataException(
            file, "its header", "two columns have the name '" + each + "'; rename one of them");
      }
    }
    if (rows.isEmpty()) {
      throw new DamagedDataException(file, "its end", "there is no row with data");
    }
  }
}
