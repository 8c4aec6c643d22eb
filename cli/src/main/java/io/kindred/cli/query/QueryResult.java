package io.kindred.cli.query;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The rows of a query; a value is a number, a boolean, a text, or absent. */
public record QueryResult(List<String> columns, List<List<Optional<Object>>> rows) {
  public QueryResult {
    columns = List.copyOf(columns);
    rows = List.copyOf(rows);
  }

  /** The rows as text, aligned in columns. */
  public String text() {
    int[] widths = new int[columns.size()];
    List<List<String>> all = new ArrayList<>(List.of(columns));
    rows.forEach(
        row -> all.add(row.stream().map(each -> each.map(Object::toString).orElse("")).toList()));
    for (List<String> row : all) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder out = new StringBuilder();
    for (List<String> row : all) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        line.append(row.get(i)).repeat(' ', widths[i] - row.get(i).length() + 2);
      }
      out.append(line.toString().stripTrailing()).append('\n');
    }
    return out.toString();
  }

  /** One mapping per row, for JSON. */
  public List<Map<String, Optional<Object>>> mappings() {
    List<Map<String, Optional<Object>>> mappings = new ArrayList<>();
    for (List<Optional<Object>> row : rows) {
      Map<String, Optional<Object>> mapping = new LinkedHashMap<>();
      for (int i = 0; i < columns.size(); i++) {
        mapping.put(columns.get(i), row.get(i));
      }
      mappings.add(mapping);
    }
    return mappings;
  }
}
