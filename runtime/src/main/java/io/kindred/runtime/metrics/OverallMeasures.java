package io.kindred.runtime.metrics;

import io.kindred.learning.training.ConfusionMatrix;
import io.kindred.learning.training.Measures;
import io.kindred.storage.disk.Csv;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * Measures over the test samples of all peers together, each sample judged by the last model of its
 * peer. A mean over peers weighs peers equally; these measures weigh samples equally.
 */
public final class OverallMeasures {
  private final SortedMap<Long, MetricLine> newest = new TreeMap<>();

  /** All lines of a file. */
  public static OverallMeasures of(Path metrics) {
    OverallMeasures all = new OverallMeasures();
    if (Files.isRegularFile(metrics)) {
      MetricsFile.read(metrics, all::add);
    }
    return all;
  }

  /** Adds a line; only what a peer would deploy at the end counts. */
  void add(MetricLine line) {
    boolean counts = line.confusion() != null || line.extra().containsKey(Measures.RMSE);
    if (counts && !line.stage().equals("trained")) {
      newest.merge(line.peer(), line, (old, next) -> next.round() >= old.round() ? next : old);
    }
  }

  /** The measures by name; empty if no line has any. */
  SortedMap<String, Double> values() {
    SortedMap<String, Double> values = new TreeMap<>();
    ConfusionMatrix confusion =
        ConfusionMatrix.sum(newest.values().stream().map(MetricLine::confusionMatrix).toList());
    if (!confusion.cells().isEmpty()) {
      values.put("accuracy", confusion.accuracy());
      values.put(Measures.BALANCED_ACCURACY, confusion.balancedAccuracy());
      values.put(Measures.MACRO_F1, confusion.macroF1());
      mean(Measures.AUC, OverallMeasures::pairs, 1).ifPresent(auc -> values.put("auc", auc));
    }
    mean(Measures.MAE, MetricLine::samples, 1).ifPresent(mae -> values.put(Measures.MAE, mae));
    mean(Measures.RMSE, MetricLine::samples, 2)
        .ifPresent(square -> values.put(Measures.RMSE, Math.sqrt(square)));
    return values;
  }

  @FunctionalInterface
  private interface Weight {
    double of(MetricLine line);
  }

  /** Scores of different models do not compare, so only pairs of samples of one peer count. */
  private static double pairs(MetricLine line) {
    ConfusionMatrix confusion = line.confusionMatrix();
    return (double) confusion.samples(0) * confusion.samples(1);
  }

  private Optional<Double> mean(String name, Weight weight, int power) {
    double sum = 0;
    double weights = 0;
    for (MetricLine line : newest.values()) {
      Double value = line.extra().get(name);
      if (value != null) {
        sum += weight.of(line) * Math.pow(value, power);
        weights += weight.of(line);
      }
    }
    return weights > 0 ? Optional.of(sum / weights) : Optional.empty();
  }

  /**
   * Which classes the last model of each peer takes for which, as a table with a line for each peer
   * and pair; empty if no line says it.
   */
  public Optional<String> confusionCsv(IntFunction<String> className) {
    StringBuilder csv = new StringBuilder("peer,class,predicted,samples\n");
    int header = csv.length();
    for (MetricLine line : newest.values()) {
      for (ConfusionMatrix.Cell cell : line.confusionMatrix().cells()) {
        csv.append(
            Csv.line(
                List.of(
                    Long.toString(line.peer()),
                    className.apply(cell.label()),
                    className.apply(cell.predicted()),
                    Integer.toString(cell.samples()))));
      }
    }
    return csv.length() == header ? Optional.empty() : Optional.of(csv.toString());
  }
}
