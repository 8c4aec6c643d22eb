package io.kindred.learning.training;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The evaluation of a predictor on some samples. All values are means, NaN if there were no
 * samples. Accuracy is for classification only; errors are for regression only, by the names of the
 * data set's error metrics.
 */
public record EvaluationResult(
    double loss, double accuracy, SortedMap<String, Double> errors, int samples) {
  public EvaluationResult {
    errors = Collections.unmodifiableSortedMap(new TreeMap<>(errors));
  }
}
