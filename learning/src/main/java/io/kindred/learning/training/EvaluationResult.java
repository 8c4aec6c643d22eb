package io.kindred.learning.training;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How a predictor did on some samples; all figures are means, NaN where there were no samples. Only
 * classes have an accuracy; only numbers have errors, by the names under which their data set
 * judges them.
 */
public record EvaluationResult(
    double loss, double accuracy, SortedMap<String, Double> errors, int samples) {
  public EvaluationResult {
    errors = Collections.unmodifiableSortedMap(new TreeMap<>(errors));
  }
}
