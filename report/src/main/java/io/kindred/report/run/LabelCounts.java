package io.kindred.report.run;

import io.kindred.report.plot.HeatMap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The number of samples per label that each peer holds, from {@code partition.csv}. */
public record LabelCounts(List<HeatMap.Row> rows) {
  /** With more peers than this, rows are too thin to see. */
  public static final int MOST_SHOWN = 100;

  public LabelCounts {
    rows = List.copyOf(rows);
  }

  static LabelCounts read(Path from) throws IOException {
    PlainCsv file = PlainCsv.read(from);
    List<HeatMap.Row> rows = new ArrayList<>();
    for (int row = 0; row < file.rows().size(); row++) {
      List<Double> counts = new ArrayList<>();
      for (int column = 0; column < file.header().size(); column++) {
        if (file.header().get(column).matches("\\d+")) {
          counts.add(file.number(row, column));
        }
      }
      rows.add(new HeatMap.Row(file.text(row, "peer"), counts));
    }
    return new LabelCounts(rows);
  }

  public int labels() {
    return rows.isEmpty() ? 0 : rows.getFirst().values().size();
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
    return new HeatMap(title, "peer", "label", shown, width).svg();
  }
}
