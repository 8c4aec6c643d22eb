package io.kindred.report.run;

import io.kindred.report.plot.Distribution;
import io.kindred.report.table.Spread;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads {@code rounds.csv} by the names in its header, so that additional columns are harmless. */
record RoundsReader(boolean finished) {

  List<RoundRow> read(Path file, List<String> notes) throws IOException {
    List<List<String>> lines = PlainCsv.lines(file);
    if (lines.isEmpty()) {
      return List.of();
    }
    List<String> header = lines.getFirst();
    if (!header.contains("round") || !header.contains("stage")) {
      throw new DamagedRunException(file, 1, "the header must name round and stage");
    }
    // A resumed run may repeat rounds; the later line counts.
    SortedMap<String, RoundRow> rows = new TreeMap<>();
    for (int i = 1; i < lines.size(); i++) {
      List<String> cells = lines.get(i);
      if (cells.size() == 1 && cells.getFirst().isEmpty()) {
        continue;
      }
      try {
        RoundRow row = row(header, cells);
        rows.put(String.format(Locale.ROOT, "%09d %s", row.round(), row.stage()), row);
      } catch (IllegalArgumentException damaged) {
        if (finished || i < lines.size() - 1) {
          throw new DamagedRunException(file, i + 1L, String.valueOf(damaged.getMessage()));
        }
        notes.add(
            file.getFileName() + ":" + (i + 1) + ": the last line is incomplete and was skipped");
      }
    }
    return List.copyOf(rows.values());
  }

  private static RoundRow row(List<String> header, List<String> cells) {
    if (cells.size() != header.size()) {
      throw new IllegalArgumentException(
          "expected " + header.size() + " cells, but found " + cells.size());
    }
    String stage = cells.get(header.indexOf("stage"));
    return new RoundRow(
        Integer.parseInt(cells.get(header.indexOf("round"))),
        Stage.named(stage)
            .orElseThrow(() -> new IllegalArgumentException("unknown stage \"" + stage + "\"")),
        number(header, cells, "mean"),
        number(header, cells, "std"),
        number(header, cells, "p10"),
        number(header, cells, "best"),
        number(header, cells, "worst"),
        number(header, cells, "globalMean"),
        number(header, cells, "modelBytes"),
        number(header, cells, "controlBytes"),
        number(header, cells, "recallAtK"),
        number(header, cells, "virtualSeconds"));
  }

  private static double number(List<String> header, List<String> cells, String name) {
    int position = header.indexOf(name);
    String text = position < 0 ? "" : cells.get(position);
    return text.isEmpty() ? Double.NaN : Double.parseDouble(text);
  }

  /**
   * Rows for a run that has only metrics: the values that follow from accuracies, and nothing else.
   */
  static List<RoundRow> fromEvaluations(Evaluations evaluations) {
    List<RoundRow> rows = new ArrayList<>();
    for (Stage stage : Stage.values()) {
      for (int round : evaluations.rounds(stage)) {
        double[] values =
            evaluations.values(stage, round).stream().mapToDouble(Double::doubleValue).toArray();
        Spread spread = Spread.overPeers(values);
        rows.add(
            new RoundRow(
                round,
                stage,
                spread.mean(),
                spread.std(),
                Distribution.quantile(values, 0.1),
                Distribution.quantile(values, 1),
                Distribution.quantile(values, 0),
                Double.NaN,
                Double.NaN,
                Double.NaN,
                Double.NaN,
                Double.NaN));
      }
    }
    return rows;
  }
}
