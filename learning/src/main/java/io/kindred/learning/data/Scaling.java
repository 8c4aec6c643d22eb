package io.kindred.learning.data;

/**
 * Brings values to mean zero and deviation one, group by group: a column of a table, a channel of a
 * sensor, a band of a spectrum. Fitted on training samples and then applied to all, for a test set
 * that takes part in the fit is no longer unseen.
 */
public final class Scaling {
  private final double[] means;
  private final double[] factors;
  private final int groupSize;

  private Scaling(double[] means, double[] factors, int block) {
    this.means = means;
    this.factors = factors;
    this.groupSize = block;
  }

  /**
   * @param width values of one sample
   * @param block how many neighbouring values of a sample form a group
   */
  static Scaling fit(float[] values, int width, int block) {
    int groups = width / block;
    double[] means = new double[groups];
    double[] factors = new double[groups];
    long count = (long) (values.length / width) * block;
    for (int i = 0; i < values.length; i++) {
      means[i % width / block] += values[i];
    }
    for (int g = 0; g < groups; g++) {
      means[g] /= Math.max(1, count);
    }
    // A second pass, since the difference of two large sums would lose a small deviation.
    for (int i = 0; i < values.length; i++) {
      int group = i % width / block;
      double distance = values[i] - means[group];
      factors[group] += distance * distance;
    }
    for (int g = 0; g < groups; g++) {
      double deviation = Math.sqrt(factors[g] / Math.max(1, count));
      // A value that never changes says nothing, and is left where it is.
      factors[g] = deviation > 0 ? 1 / deviation : 1;
    }
    return new Scaling(means, factors, block);
  }

  /** Changes the values in place. */
  void apply(float[] values) {
    int width = means.length * groupSize;
    for (int i = 0; i < values.length; i++) {
      int group = i % width / groupSize;
      values[i] = (float) ((values[i] - means[group]) * factors[group]);
    }
  }

  /** Both parts of a data set, scaled in place by what the first one tells. */
  public static void fitAndApply(float[] train, float[] test, int width, int block) {
    Scaling scaling = fit(train, width, block);
    scaling.apply(train);
    scaling.apply(test);
  }
}
