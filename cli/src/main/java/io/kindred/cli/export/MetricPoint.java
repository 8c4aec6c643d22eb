package io.kindred.cli.export;

import io.kindred.report.run.RoundRow;
import io.kindred.report.run.RunRecord;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/** One value of a run at a round; other tools group values by the first part of the name. */
record MetricPoint(String name, int round, double virtualSeconds, double value) {
  /** All values that a run recorded by round. */
  static List<MetricPoint> of(RunRecord run) {
    List<MetricPoint> points = new ArrayList<>();
    for (RoundRow row : run.rounds()) {
      double seconds = Double.isFinite(row.virtualSeconds()) ? row.virtualSeconds() : 0;
      for (Map.Entry<String, Double> each : values(row).entrySet()) {
        if (Double.isFinite(each.getValue())) {
          points.add(new MetricPoint(each.getKey(), row.round(), seconds, each.getValue()));
        }
      }
    }
    return points;
  }

  private static SequencedMap<String, Double> values(RoundRow row) {
    SequencedMap<String, Double> values = new LinkedHashMap<>();
    String stage = row.stage().fileWord();
    values.put("accuracy/" + stage, row.mean());
    values.put("spread/" + stage + "-std", row.std());
    values.put("spread/" + stage + "-p10", row.p10());
    values.put("spread/" + stage + "-best", row.best());
    values.put("spread/" + stage + "-worst", row.worst());
    values.put("accuracy/" + stage + "-global", row.globalMean());
    values.put("search/recall", row.recallAtK());
    // Traffic totals belong to the round, independent of the stage.
    values.put("traffic/model-bytes", row.modelBytes());
    values.put("traffic/control-bytes", row.controlBytes());
    return values;
  }
}
