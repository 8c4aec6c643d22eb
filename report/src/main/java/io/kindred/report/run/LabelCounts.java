package io.kindred.report.run;

import io.kindred.report.plot.HeatMap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The number of samples per label that each peer holds, from {@code partition.csv}. */
public record LabelCounts(List<String> classes, List<HeatMap.Row> rows) {
  /** With more peers than this, rows are too thin to see. */
  public static final int MOST_SHOWN = 100;

  /** The columns before those of the classes. */
  private static final List<String> OTHER_COLUMNS = List.of("peer", "samples");

  public LabelCounts {
    classes = List.copyOf(classes);
    rows = List.copyOf(rows);
  }

  /**
   * Reads the file.
   *
   * @param classes the names of the classes; empty if they have only numbers
   */
  static LabelCounts read(Path from, List<String> classes) throws IOException {
    PlainCsv file = PlainCsv.read(from);
    int first = OTHER_COLUMNS.size();
    List<String> labels =
        file.header().stream()
            .skip(first)
            .takeWhile(each -> classes.contains(each) || each.matches("\\d+"))
            .limit(classes.isEmpty() ? Integer.MAX_VALUE : classes.size())
            .toList();
    List<HeatMap.Row> rows = new ArrayList<>();
    for (int row = 0; row < file.rows().size(); row++) {
      List<Double> counts = new ArrayList<>();
      for (int column = first; column < first + labels.size(); column++) {
        counts.add(file.number(row, column));
      }
      rows.add(new HeatMap.Row(file.text(row, "peer"), counts));
    }
    return new LabelCounts(labels, rows);
  }

  public int labels() {
    return classes.size();
  }

  public double largest() {
    return rows.stream()
        .flatMap(row -> row.values().stream())
        .mapToDouble(Double::doubleValue)
        .max()
        .orElse(0);
  }

  public String svg(String title, double width) {
    List<HeatMap.Row> shown = rows.subList(0, Math.min(MOST_SHOWN, rows.size()));
    return new HeatMap(title, "peer", "class", classes, shown, width).svg();
  }
}
