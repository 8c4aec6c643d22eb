package io.kindred.learning.data;

/**
 * Brings values to mean zero and deviation one, group by group: a column of a table, a channel of a
 * sensor, a band of a spectrum. The scaling is fitted on training samples only and then applied to
 * all samples: a test set that takes part in the fit is no longer unseen.
 */
public final class Scaling {
  private final double[] means;
  private final double[] factors;
  private final int groupSize;

  private Scaling(double[] means, double[] factors, int groupSize) {
    this.means = means;
    this.factors = factors;
    this.groupSize = groupSize;
  }

  /**
   * @param width values of one sample
   * @param groupSize how many neighbouring values of a sample form a group
   */
  static Scaling fit(float[] values, int width, int groupSize) {
    int groups = width / groupSize;
    double[] means = new double[groups];
    double[] factors = new double[groups];
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
      factors[group] += distance * distance;
    }
    for (int g = 0; g < groups; g++) {
      double deviation = Math.sqrt(factors[g] / Math.max(1, count));
      // A constant value carries no information and is not scaled.
      factors[g] = deviation > 0 ? 1 / deviation : 1;
    }
    return new Scaling(means, factors, groupSize);
  }

  /** Changes the values in place. */
  void apply(float[] values) {
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
