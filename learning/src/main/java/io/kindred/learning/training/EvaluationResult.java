package io.kindred.learning.training;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The evaluation of a predictor on some samples. All values are NaN if there were no samples.
 *
 * @param accuracy the share of samples whose class was recognized; NaN for a regression
 * @param measures further measures by name; a measure that is not defined for the samples is absent
 * @param confusion which classes were taken for which; empty for a regression
 */
public record EvaluationResult(
    double loss,
    double accuracy,
    SortedMap<String, Double> measures,
    int samples,
    ConfusionMatrix confusion) {
  public EvaluationResult {
    measures = Collections.unmodifiableSortedMap(new TreeMap<>(measures));
  }

  /** An evaluation that does not say which classes were taken for which. */
  public EvaluationResult(
      double loss, double accuracy, SortedMap<String, Double> measures, int samples) {
    this(loss, accuracy, measures, samples, ConfusionMatrix.EMPTY);
  }
}
