package io.kindred.learning.training;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How often samples of one class were taken for another; cells without samples are left out.
 *
 * @param cells sorted by class, then by prediction
 */
public record ConfusionMatrix(List<Cell> cells) {
  /** No samples. */
  public static final ConfusionMatrix EMPTY = new ConfusionMatrix(List.of());

  /** Samples of the class {@code label} for which {@code predicted} was the most likely class. */
  public record Cell(int label, int predicted, int samples) {}

  public ConfusionMatrix {
    cells =
        cells.stream()
            .sorted(Comparator.comparingInt(Cell::label).thenComparingInt(Cell::predicted))
            .toList();
  }

  /** Counts pairs of the true and the predicted class. */
  public static ConfusionMatrix of(int[] labels, int[] predicted) {
    SortedMap<Integer, SortedMap<Integer, Integer>> counts = new TreeMap<>();
    for (int i = 0; i < labels.length; i++) {
      counts.computeIfAbsent(labels[i], _ -> new TreeMap<>()).merge(predicted[i], 1, Integer::sum);
    }
    return of(counts);
  }

  private static ConfusionMatrix of(SortedMap<Integer, SortedMap<Integer, Integer>> counts) {
    List<Cell> cells = new ArrayList<>();
    counts.forEach(
        (label, row) ->
            row.forEach((predicted, samples) -> cells.add(new Cell(label, predicted, samples))));
    return new ConfusionMatrix(cells);
  }

  /** The samples of several matrices together. */
  public static ConfusionMatrix sum(List<ConfusionMatrix> matrices) {
    SortedMap<Integer, SortedMap<Integer, Integer>> counts = new TreeMap<>();
    for (ConfusionMatrix matrix : matrices) {
      for (Cell cell : matrix.cells) {
        counts
            .computeIfAbsent(cell.label, _ -> new TreeMap<>())
            .merge(cell.predicted, cell.samples, Integer::sum);
      }
    }
    return of(counts);
  }

  /** How many samples each class has. */
  private SortedMap<Integer, Integer> byLabel() {
    SortedMap<Integer, Integer> samples = new TreeMap<>();
    cells.forEach(cell -> samples.merge(cell.label, cell.samples, Integer::sum));
    return samples;
  }

  private SortedMap<Integer, Integer> byPrediction() {
    SortedMap<Integer, Integer> samples = new TreeMap<>();
    cells.forEach(cell -> samples.merge(cell.predicted, cell.samples, Integer::sum));
    return samples;
  }

  /** Samples of a class that were recognized. */
  private SortedMap<Integer, Integer> right() {
    SortedMap<Integer, Integer> samples = new TreeMap<>();
    cells.stream()
        .filter(cell -> cell.label == cell.predicted)
        .forEach(cell -> samples.put(cell.label, cell.samples));
    return samples;
  }

  /** How many samples were counted. */
  public int samples() {
    return cells.stream().mapToInt(Cell::samples).sum();
  }

  /** How many samples the class has. */
  public int samples(int label) {
    return byLabel().getOrDefault(label, 0);
  }

  /** The share of samples whose class was recognized; NaN without samples. */
  public double accuracy() {
    int right = right().values().stream().mapToInt(Integer::intValue).sum();
    return cells.isEmpty() ? Double.NaN : right / (double) samples();
  }

  /** The mean over the classes that have samples of the share that was recognized. */
  public double balancedAccuracy() {
    SortedMap<Integer, Integer> right = right();
    SortedMap<Integer, Integer> byLabel = byLabel();
    double sum = 0;
    for (var entry : byLabel.entrySet()) {
      sum += right.getOrDefault(entry.getKey(), 0) / (double) entry.getValue();
    }
    return cells.isEmpty() ? Double.NaN : sum / byLabel.size();
  }

  /**
   * The mean of the F1 scores of all classes that have samples or were predicted: 2 right /
   * (samples + predictions), which is zero for a class that was never recognized.
   */
  public double macroF1() {
    SortedMap<Integer, Integer> both = byLabel();
    byPrediction().forEach((label, samples) -> both.merge(label, samples, Integer::sum));
    SortedMap<Integer, Integer> right = right();
    double sum = 0;
    for (var entry : both.entrySet()) {
      sum += 2.0 * right.getOrDefault(entry.getKey(), 0) / entry.getValue();
    }
    return cells.isEmpty() ? Double.NaN : sum / both.size();
  }
}
