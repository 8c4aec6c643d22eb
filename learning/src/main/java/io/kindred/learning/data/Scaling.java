package io.kindred.learning.data;

import java.util.ArrayList;
import java.util.List;

/**
 * Brings values to mean zero and deviation one, group by group: a column of a table, a channel of a
 * sensor, a band of a spectrum. The scaling is fitted on training samples only and then applied to
 * all samples: a test set that takes part in the fit is no longer unseen.
 */
public final class Scaling {
  private final double[] means;
  private final double[] deviations;
  private final int groupSize;

  private Scaling(double[] means, double[] deviations, int groupSize) {
    this.means = means;
    this.deviations = deviations;
    this.groupSize = groupSize;
  }

  /** A scaling that was fitted before. */
  public static Scaling of(List<FeatureScale> scales, int groupSize) {
    return new Scaling(
        scales.stream().mapToDouble(FeatureScale::mean).toArray(),
        scales.stream().mapToDouble(FeatureScale::deviation).toArray(),
        groupSize);
  }

  /**
   * Fits mean and deviation of every group.
   *
   * @param width values of one sample
   * @param groupSize how many neighbouring values of a sample form a group
   */
  public static Scaling fit(float[] values, int width, int groupSize) {
    int groups = width / groupSize;
    double[] means = new double[groups];
    double[] deviations = new double[groups];
    long count = (long) (values.length / width) * groupSize;
    for (int i = 0; i < values.length; i++) {
      means[i % width / groupSize] += values[i];
    }
    for (int g = 0; g < groups; g++) {
      means[g] /= Math.max(1, count);
    }
    // A second pass, since the difference of two large sums would lose a small deviation.
    for (int i = 0; i < values.length; i++) {
      int group = i % width / groupSize;
      double distance = values[i] - means[group];
      deviations[group] += distance * distance;
    }
    for (int g = 0; g < groups; g++) {
      double deviation = Math.sqrt(deviations[g] / Math.max(1, count));
      // A constant value carries no information and is not scaled.
      deviations[g] = deviation > 0 ? deviation : 1;
    }
    return new Scaling(means, deviations, groupSize);
  }

  /** Mean and deviation of each group. */
  public List<FeatureScale> scales() {
    List<FeatureScale> scales = new ArrayList<>();
    for (int g = 0; g < means.length; g++) {
      scales.add(new FeatureScale(means[g], deviations[g]));
    }
    return scales;
  }

  /** Changes the values in place. */
  public void apply(float[] values) {
    double[] factors = new double[deviations.length];
    for (int g = 0; g < factors.length; g++) {
      factors[g] = 1 / deviations[g];
    }
    int width = means.length * groupSize;
    for (int i = 0; i < values.length; i++) {
      int group = i % width / groupSize;
      values[i] = (float) ((values[i] - means[group]) * factors[group]);
    }
  }

  /** Fits the scaling on the training values and applies it to both parts in place. */
  public static void fitAndApply(float[] train, float[] test, int width, int groupSize) {
    Scaling scaling = fit(train, width, groupSize);
    scaling.apply(train);
    scaling.apply(test);
  }
}
