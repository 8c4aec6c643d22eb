package io.kindred.learning.training;

import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.ErrorMetric;
import io.kindred.learning.data.FeatureScale;
import io.kindred.learning.engine.SampleRows;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Compares the outputs of a model with labels or targets. */
public final class Measures {
  /** The mean share of recognized samples over classes. */
  public static final String BALANCED_ACCURACY = "balancedAccuracy";

  /** The mean F1 score over classes. */
  public static final String MACRO_F1 = "macroF1";

  /**
   * The area under the receiver operating characteristic: how often the second of two classes gets
   * a higher score than the first.
   */
  public static final String AUC = "auc";

  /** The mean absolute error, in the unit of the targets. */
  public static final String MAE = "mae";

  /** The root of the mean squared error, in the unit of the targets. */
  public static final String RMSE = "rmse";

  private Measures() {}

  static EvaluationResult classification(float[] probabilities, SampleRows rows, int classes) {
    int count = rows.count();
    int[] labels = new int[count];
    int[] predicted = new int[count];
    double loss = 0;
    for (int row = 0; row < count; row++) {
      labels[row] = rows.label(row);
      predicted[row] = mostLikely(probabilities, row * classes, classes);
      // A probability that underflowed counts as the smallest float, so that one sample cannot make
      // a mean infinite.
      loss -= Math.log(Math.max(probabilities[row * classes + labels[row]], Float.MIN_NORMAL));
    }
    ConfusionMatrix confusion = ConfusionMatrix.of(labels, predicted);
    SortedMap<String, Double> measures = new TreeMap<>();
    if (count > 0) {
      measures.put(BALANCED_ACCURACY, confusion.balancedAccuracy());
      measures.put(MACRO_F1, confusion.macroF1());
    }
    if (classes == 2 && confusion.samples(0) > 0 && confusion.samples(1) > 0) {
      double[] scores = new double[count];
      for (int row = 0; row < count; row++) {
        scores[row] = probabilities[2 * row + 1];
      }
      measures.put(AUC, auc(scores, labels));
    }
    return new EvaluationResult(loss / count, confusion.accuracy(), measures, count, confusion);
  }

  /** The class with the largest probability; ties go to the lower class. */
  private static int mostLikely(float[] probabilities, int from, int classes) {
    int best = 0;
    for (int c = 1; c < classes; c++) {
      if (probabilities[from + c] > probabilities[from + best]) {
        best = c;
      }
    }
    return best;
  }

  /**
   * The share of pairs of a sample of class 1 and one of class 0 in which the former has the higher
   * score; equal scores count half (Mann and Whitney, 1947).
   */
  static double auc(double[] scores, int[] labels) {
    int[] order =
        IntStream.range(0, scores.length)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> scores[i]))
            .mapToInt(Integer::intValue)
            .toArray();
    long positives = IntStream.of(labels).filter(label -> label == 1).count();
    double rankSum = 0;
    int from = 0;
    while (from < order.length) {
      int to = from;
      int positivesHere = 0;
      while (to < order.length && scores[order[to]] == scores[order[from]]) {
        positivesHere += labels[order[to]] == 1 ? 1 : 0;
        to++;
      }
      // All samples of one score have the mean of their ranks, which count from 1.
      rankSum += positivesHere * 0.5 * (from + 1 + to);
      from = to;
    }
    double pairs = (double) positives * (labels.length - positives);
    return (rankSum - positives * (positives + 1) / 2.0) / pairs;
  }

  static EvaluationResult regression(float[] numbers, SampleRows rows, Dataset dataset) {
    int width = dataset.outputs();
    List<ErrorMetric> metrics = dataset.errorMetrics();
    List<FeatureScale> scales = dataset.reading().task().targetScales();
    double[] sums = new double[metrics.size()];
    double loss = 0;
    double absolute = 0;
    double squares = 0;
    float[] output = new float[width];
    float[] targets = new float[width];
    for (int row = 0; row < rows.count(); row++) {
      rows.copyTargets(row, targets, 0);
      System.arraycopy(numbers, row * width, output, 0, width);
      for (int i = 0; i < width; i++) {
        double unit = scales.isEmpty() ? 1 : scales.get(i).deviation();
        double apart = (double) output[i] - targets[i];
        loss += apart * apart;
        absolute += Math.abs(apart) * unit;
        squares += apart * apart * unit * unit;
      }
      for (int i = 0; i < sums.length; i++) {
        sums[i] += metrics.get(i).measure().between(output, targets);
      }
    }
    int count = rows.count();
    double values = (double) count * width;
    SortedMap<String, Double> measures = new TreeMap<>();
    for (int i = 0; i < sums.length; i++) {
      measures.put(metrics.get(i).name(), sums[i] / count);
    }
    if (count > 0) {
      measures.put(MAE, absolute / values);
      measures.put(RMSE, Math.sqrt(squares / values));
    }
    return new EvaluationResult(loss / values, Double.NaN, measures, count);
  }
}
