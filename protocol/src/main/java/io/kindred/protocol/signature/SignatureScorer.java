package io.kindred.protocol.signature;

import io.kindred.core.weights.SparseKernels;
import java.util.List;

/**
 * Compares one signature with many: its entries are scattered into a dense vector once, and each
 * other signature gathers from it, in time proportional to its entries. The dense vector is kept
 * for the next call, so a scorer belongs to one thread.
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
    SparseKernels.scatter(own.indices().shared(), own.values().shared(), dense);
    double[] cosines = new double[others.size()];
    try {
      for (int i = 0; i < cosines.length; i++) {
        cosines[i] = gatherCosine(own, others.get(i));
      }
    } finally {
      SparseKernels.clear(own.indices().shared(), dense);
    }
    return cosines;
  }

  private double gatherCosine(Signature own, Signature other) {
    own.requireComparable(other);
    float product =
        SparseKernels.gatherDot(dense, other.indices().shared(), other.values().shared());
    return own.cosine(product, other);
  }
}
