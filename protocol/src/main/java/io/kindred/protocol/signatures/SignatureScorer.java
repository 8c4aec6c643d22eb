package io.kindred.protocol.signatures;

import io.kindred.core.weights.Sparse;
import java.util.List;

/**
 * Compares one signature with many: its entries are spread out over a dense vector once, and each
 * other one gathers from there, in time proportional to its entries. The dense vector is kept for
 * the next call, so a scorer belongs to one thread.
 */
public final class SignatureScorer {
  private final float[] dense;

  public SignatureScorer(int dimension) {
    dense = new float[dimension];
  }

  /** The cosine of {@code own} with each of the others, in their order. */
  public double[] cosines(Signature own, List<Signature> others) {
    if (own.dimension() != dense.length) {
      throw new IllegalArgumentException(
          own + " given to a scorer of dimension " + dense.length + "; make one for its dimension");
    }
    Sparse.scatter(own.places().shared(), own.values().shared(), dense);
    double[] cosines = new double[others.size()];
    try {
      for (int i = 0; i < cosines.length; i++) {
        cosines[i] = gathered(own, others.get(i));
      }
    } finally {
      Sparse.clear(own.places().shared(), dense);
    }
    return cosines;
  }

  private double gathered(Signature own, Signature other) {
    own.requireComparable(other);
    float product = Sparse.gatherDot(dense, other.places().shared(), other.values().shared());
    return own.cosine(product, other);
  }
}
