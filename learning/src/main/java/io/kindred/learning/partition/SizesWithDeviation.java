package io.kindred.learning.partition;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStream;
import java.util.Arrays;
import org.ojalgo.optimisation.Expression;
import org.ojalgo.optimisation.ExpressionsBasedModel;
import org.ojalgo.optimisation.Optimisation;

/**
 * Sample counts of a given standard deviation over the peers, none below a minimum. Normal draws
 * determine which peers have more and which less; a quadratic program finds the counts nearest to
 * the draws that have the right sum and respect the minimum. The minimum reduces the deviation, so
 * the draws are stretched until it is right: the deviation grows continuously with the stretch,
 * from zero to its maximum.
 */
final class SizesWithDeviation {
  private static final int MAX_STEPS = 60;

  /** Rounding to integers changes a count by up to half a sample anyway. */
  private static final double TOLERANCE = 0.1;

  private final double mean;
  private final double minimum;
  private final double[] draws;

  private SizesWithDeviation(double mean, double minimum, double[] draws) {
    this.mean = mean;
    this.minimum = minimum;
    this.draws = draws;
  }

  static int[] draw(int samples, int peers, int minimum, double deviation, RandomStream random) {
    double mean = samples / (double) peers;
    double[] draws = new double[peers];
    Arrays.setAll(draws, i -> random.nextGaussian());
    requirePossible(mean, peers, minimum, deviation);
    double spread = deviation(draws);
    if (deviation == 0 || spread == 0) {
      return ShareSizes.equal(samples, peers, random);
    }
    SizesWithDeviation sizes = new SizesWithDeviation(mean, minimum, draws);
    return Rounding.inProportion(sizes.sizesOfDeviation(deviation, deviation / spread), samples);
  }

  private static void requirePossible(double mean, int peers, int minimum, double deviation) {
    if (minimum > mean) {
      throw new SettingException(
          "partition.minimum",
          (peers + " peers cannot hold " + minimum + " samples each when there are ")
              + Math.round(mean * peers),
          "use a smaller minimum, fewer classes, fewer peers or more samples");
    }
    // The maximum: one peer has all samples that the others' minimum leaves.
    double largest = (mean - minimum) * Math.sqrt(peers - 1);
    if (deviation > largest) {
      throw new SettingException(
          "partition.sigma",
          ("sample counts of " + peers + " peers with a mean of " + Math.round(mean))
              + (" deviate by at most " + Math.round(largest) + ", not by ")
              + Math.round(deviation),
          "choose a smaller sigma, or set perSamples to the number of samples that sigma"
              + " refers to");
    }
  }

  static double deviation(double[] values) {
    double mean = Arrays.stream(values).average().orElseThrow();
    return Math.sqrt(
        Arrays.stream(values).map(x -> (x - mean) * (x - mean)).average().orElseThrow());
  }

  /**
   * Stretches until the deviation is bracketed, then bisects; if no count is at the minimum the
   * first stretch fits.
   */
  private double[] sizesOfDeviation(double wanted, double first) {
    double low = 0;
    double high = first;
    double[] sizes = nearest(high);
    for (int i = 0; i < MAX_STEPS && deviation(sizes) < wanted - TOLERANCE; i++) {
      low = high;
      high *= 2;
      sizes = nearest(high);
    }
    for (int i = 0; i < MAX_STEPS && Math.abs(deviation(sizes) - wanted) > TOLERANCE; i++) {
      double middle = (low + high) / 2;
      sizes = nearest(middle);
      if (deviation(sizes) < wanted) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return sizes;
  }

  /** The counts nearest to the stretched draws, scaled by the mean for the solver's numerics. */
  private double[] nearest(double stretch) {
    ExpressionsBasedModel model = new ExpressionsBasedModel();
    Expression sum = model.newExpression("sum").level(draws.length);
    Expression distance = model.newExpression("distance").weight(1);
    for (int i = 0; i < draws.length; i++) {
      model.newVariable("size" + i).lower(minimum / mean);
      sum.set(i, 1);
      distance.set(i, i, 1).set(i, -2 * (1 + stretch * draws[i] / mean));
    }
    Optimisation.Result result = model.minimise();
    if (!result.getState().isFeasible()) {
      throw new IllegalStateException(
          "the solver did not find sizes, although they exist: " + result.getState());
    }
    double[] sizes = new double[draws.length];
    // The solver may undershoot a bound by its tolerance.
    Arrays.setAll(sizes, i -> Math.max(minimum, mean * result.doubleValue(i)));
    return sizes;
  }
}
