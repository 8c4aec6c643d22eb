package io.kindred.protocol.signatures;

import io.kindred.core.weights.Weights;
import java.util.Arrays;

/** How many entries a signature needs (SemanticDFL, appendix B.1). */
public final class Cardinality {
  private Cardinality() {}

  /**
   * The least P whose most important entries keep the wanted cosine to the whole vector, rounded up
   * to the granularity; all entries where nothing less does, and for a vector of zeros. Algorithm 1
   * as printed leaves its loop one step early and may return one entry more.
   */
  public static int least(Weights subject, Weights importance, SignatureRule rule) {
    double[] energy = prefixSums(subject.shared(), importance.shared());
    double whole = energy[energy.length - 1];
    double share = rule.retention() + rule.margin();
    if (whole == 0 || share > 1) {
      return subject.size();
    }
    int low = 0;
    int high = subject.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (energy[middle] >= share * share * whole) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    int steps = Math.ceilDiv(high, rule.granularity());
    return (int) Math.min((long) steps * rule.granularity(), subject.size());
  }

  /** Sums of squares over the entries from the most important on, ties by place. */
  private static double[] prefixSums(float[] values, float[] importance) {
    long[] order = new long[values.length];
    for (int i = 0; i < order.length; i++) {
      // Bits of a float without its sign sort like it; turned round, the largest come first.
      long magnitude = Float.floatToRawIntBits(importance[i]) & 0x7fff_ffff;
      order[i] = ((0x7fff_ffffL - magnitude) << 32) | i;
    }
    Arrays.sort(order);
    double[] sums = new double[values.length + 1];
    for (int i = 0; i < order.length; i++) {
      double value = values[(int) order[i]];
      sums[i + 1] = sums[i] + value * value;
    }
    return sums;
  }

  /**
   * The network's P from all peers' least ones: a quantile of them, so that this share of the peers
   * keeps the wanted cosine, and no more than the largest allowed.
   */
  public static int agreed(QuantileSketch least, int dimension, SignatureRule rule) {
    int most = Math.max(1, (int) (rule.largestShare() * dimension));
    return Math.clamp(least.quantile(rule.quantile()), 1, most);
  }
}
