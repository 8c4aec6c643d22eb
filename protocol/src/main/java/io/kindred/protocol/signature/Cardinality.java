package io.kindred.protocol.signature;

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
  public static int minimum(Weights subject, Weights importance, SignatureRule rule) {
    Buckets buckets = new Buckets(subject.shared(), importance.shared());
    double share = rule.retention() + rule.margin();
    if (buckets.totalEnergy() == 0 || share > 1) {
      return subject.size();
    }
    int steps = Math.ceilDiv(buckets.entriesReaching(share * share), rule.granularity());
    return (int) Math.min((long) steps * rule.granularity(), subject.size());
  }

  /**
   * Entries grouped by the leading bits of their importance: only the bucket in which the sum of
   * squares reaches the wanted share has to be sorted, a few entries in a hundred.
   */
  private static final class Buckets {
    private static final int SHIFT = 20;
    private static final int BUCKETS = 1 << 11;

    private final float[] values;
    private final float[] importance;
    private final int[] counts = new int[BUCKETS];
    private final double[] energy = new double[BUCKETS];

    Buckets(float[] values, float[] importance) {
      this.values = values;
      this.importance = importance;
      for (int i = 0; i < values.length; i++) {
        int bucket = magnitude(importance[i]) >>> SHIFT;
        double value = values[i];
        counts[bucket]++;
        energy[bucket] += value * value;
      }
    }

    /** Bits of a float without its sign sort like it. */
    private static int magnitude(float value) {
      return Float.floatToRawIntBits(value) & 0x7fff_ffff;
    }

    double totalEnergy() {
      double sum = 0;
      for (int bucket = BUCKETS - 1; bucket >= 0; bucket--) {
        sum += energy[bucket];
      }
      return sum;
    }

    /** How many entries, from the most important on, have this share of the sum of squares. */
    int entriesReaching(double share) {
      double wanted = share * totalEnergy();
      double sum = 0;
      int entries = 0;
      int bucket = BUCKETS - 1;
      while (bucket > 0 && sum + energy[bucket] < wanted) {
        sum += energy[bucket];
        entries += counts[bucket--];
      }
      return entries + entriesReaching(wanted, sum, bucket);
    }

    private int entriesReaching(double wanted, double before, int bucket) {
      long[] order = new long[counts[bucket]];
      int found = 0;
      for (int i = 0; i < importance.length && found < order.length; i++) {
        int magnitude = magnitude(importance[i]);
        if (magnitude >>> SHIFT == bucket) {
          // Inverted, so that the largest come first; ties by index.
          order[found++] = ((long) (0x7fff_ffff - magnitude) << 32) | i;
        }
      }
      Arrays.sort(order);
      double sum = before;
      int entries = 0;
      while (entries < order.length && sum < wanted) {
        double value = values[(int) order[entries++]];
        sum += value * value;
      }
      return entries;
    }
  }

  /**
   * The network's P from the minimum of each peer: a quantile of them, so that this share of the
   * peers keeps the wanted cosine, and no more than the largest allowed.
   */
  public static int networkWide(QuantileSketch minimums, int dimension, SignatureRule rule) {
    int most = Math.max(1, (int) (rule.largestShare() * dimension));
    return Math.clamp(minimums.quantile(rule.quantile()), 1, most);
  }
}
