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
    Shelves shelves = new Shelves(subject.shared(), importance.shared());
    double share = rule.retention() + rule.margin();
    if (shelves.whole() == 0 || share > 1) {
      return subject.size();
    }
    int steps = Math.ceilDiv(shelves.reaching(share * share), rule.granularity());
    return (int) Math.min((long) steps * rule.granularity(), subject.size());
  }

  /**
   * Entries by the first bits of their importance: only those on the shelf where the sum of squares
   * reaches what is wanted have to be sorted, a few in a hundred.
   */
  private static final class Shelves {
    private static final int SHIFT = 20;
    private static final int SHELVES = 1 << 11;

    private final float[] values;
    private final float[] importance;
    private final int[] counts = new int[SHELVES];
    private final double[] energy = new double[SHELVES];

    Shelves(float[] values, float[] importance) {
      this.values = values;
      this.importance = importance;
      for (int i = 0; i < values.length; i++) {
        int shelf = magnitude(importance[i]) >>> SHIFT;
        double value = values[i];
        counts[shelf]++;
        energy[shelf] += value * value;
      }
    }

    /** Bits of a float without its sign sort like it. */
    private static int magnitude(float value) {
      return Float.floatToRawIntBits(value) & 0x7fff_ffff;
    }

    double whole() {
      double sum = 0;
      for (int shelf = SHELVES - 1; shelf >= 0; shelf--) {
        sum += energy[shelf];
      }
      return sum;
    }

    /** How many entries, from the most important on, have this share of the sum of squares. */
    int reaching(double share) {
      double wanted = share * whole();
      double sum = 0;
      int entries = 0;
      int shelf = SHELVES - 1;
      while (shelf > 0 && sum + energy[shelf] < wanted) {
        sum += energy[shelf];
        entries += counts[shelf--];
      }
      return entries + reaching(wanted, sum, shelf);
    }

    private int reaching(double wanted, double before, int shelf) {
      long[] order = new long[counts[shelf]];
      int found = 0;
      for (int i = 0; i < importance.length && found < order.length; i++) {
        int magnitude = magnitude(importance[i]);
        if (magnitude >>> SHIFT == shelf) {
          // Turned round, the largest come first; ties by place.
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
   * The network's P from all peers' least ones: a quantile of them, so that this share of the peers
   * keeps the wanted cosine, and no more than the largest allowed.
   */
  public static int agreed(QuantileSketch least, int dimension, SignatureRule rule) {
    int most = Math.max(1, (int) (rule.largestShare() * dimension));
    return Math.clamp(least.quantile(rule.quantile()), 1, most);
  }
}
