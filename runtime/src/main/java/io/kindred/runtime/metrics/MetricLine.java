package io.kindred.runtime.metrics;

import io.kindred.learning.training.ConfusionMatrix;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * One line of metrics.jsonl: one peer's model in one round and stage. Bytes and pulled models are
 * totals so far; what does not apply is absent.
 *
 * @param confusion only in the last round: the true class, the predicted class, and the number of
 *     such samples
 */
public record MetricLine(
    int round,
    long peer,
    String stage,
    @Nullable Double loss,
    @Nullable Double accuracy,
    int samples,
    @Nullable Double globalAccuracy,
    long pulled,
    long sentBytes,
    long receivedBytes,
    double virtualSeconds,
    SortedMap<String, Double> extra,
    @Nullable List<MixedLine> mixed,
    @Nullable List<List<Integer>> confusion) {
  /**
   * A model of another peer that was mixed in.
   *
   * @param samples training samples that its owner reports; absent if it reports none
   * @param guard what a check did to its weight; absent if nothing
   */
  public record MixedLine(
      long peer, int round, double weight, @Nullable Integer samples, @Nullable String guard) {}

  /** A line of a peer that mixed in no model. */
  public MetricLine(
      int round,
      long peer,
      String stage,
      @Nullable Double loss,
      @Nullable Double accuracy,
      int samples,
      @Nullable Double globalAccuracy,
      long pulled,
      long sentBytes,
      long receivedBytes,
      double virtualSeconds,
      SortedMap<String, Double> extra) {
    this(
        round,
        peer,
        stage,
        loss,
        accuracy,
        samples,
        globalAccuracy,
        pulled,
        sentBytes,
        receivedBytes,
        virtualSeconds,
        extra,
        null,
        null);
  }

  /** The cells of a matrix as a line has them; absent if there are none. */
  static @Nullable List<List<Integer>> cells(ConfusionMatrix confusion) {
    return confusion.cells().isEmpty()
        ? null
        : confusion.cells().stream()
            .map(each -> List.of(each.label(), each.predicted(), each.samples()))
            .toList();
  }

  /** Which classes were taken for which; empty if the line does not say it. */
  public ConfusionMatrix confusionMatrix() {
    return confusion == null
        ? ConfusionMatrix.EMPTY
        : new ConfusionMatrix(
            confusion.stream()
                .map(each -> new ConfusionMatrix.Cell(each.get(0), each.get(1), each.get(2)))
                .toList());
  }
}
