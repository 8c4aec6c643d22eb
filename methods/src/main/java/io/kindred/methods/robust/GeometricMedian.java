package io.kindred.methods.robust;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.weights.MixturePart;
import java.util.List;

/**
 * The weighted geometric median by the smoothed Weiszfeld algorithm (RFA: Pillutla, Kakade and
 * Harchaoui, 2022, "Robust aggregation for federated learning", algorithm 2): each step is the mean
 * in which a model counts with its coefficient divided by its distance from the last step.
 */
@Named(value = "geometric-median", summary = "geometric median by smoothed Weiszfeld steps (RFA)")
public record GeometricMedian(
    @Setting(doc = "number of Weiszfeld steps", fallback = "8", min = 1, max = 1000) int steps,
    @Setting(
            doc =
                "smallest distance that counts, as a share of the mean distance of the first step",
            fallback = "1e-6",
            above = 0)
        double smoothing)
    implements RobustRule {
  @Override
  public RobustMixture mix(RobustInput input) {
    List<MixturePart> all = input.all();
    PairDistances distances = new PairDistances(input.allWeights());
    double[] shares = new double[all.size()];
    for (int i = 0; i < shares.length; i++) {
      shares[i] = distances.isFinite(i) ? Math.max(0, all.get(i).coefficient()) : 0;
    }
    double[] alpha = normalized(shares);
    double[] next = alpha;
    double least = 0;
    for (int step = 0; step < steps; step++) {
      double[] far = new double[next.length];
      double mean = 0;
      for (int i = 0; i < far.length; i++) {
        far[i] = alpha[i] > 0 ? Math.sqrt(distances.squareFromMean(i, next)) : 0;
        mean += alpha[i] * far[i];
      }
      if (mean == 0) {
        break;
      }
      least = step == 0 ? smoothing * mean : least;
      double[] weighed = new double[far.length];
      for (int i = 0; i < far.length; i++) {
        weighed[i] = alpha[i] / Math.max(least, far[i]);
      }
      next = normalized(weighed);
    }
    return input.withShares(next);
  }

  @Override
  public long operations(int models, long weights) {
    return (long) models * models * weights;
  }

  private static double[] normalized(double[] shares) {
    double sum = 0;
    for (double share : shares) {
      sum += share;
    }
    double[] normalized = new double[shares.length];
    for (int i = 0; i < shares.length; i++) {
      normalized[i] = sum > 0 ? shares[i] / sum : 1.0 / shares.length;
    }
    return normalized;
  }
}
