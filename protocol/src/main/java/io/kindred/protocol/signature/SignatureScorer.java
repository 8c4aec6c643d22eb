package io.kindred.protocol.signature;

import io.kindred.core.weights.SparseKernels;
import java.util.List;

/**
 * Compares one signature with many: its entries are scattered into a dense vector once, and each
 * other signature gathers from it, in time proportional to its entries.
 */
public final class SignatureScorer {
  private final int dimension;

  public SignatureScorer(int dimension) {
    this.dimension = dimension;
  }

  /** The cosine of {@code own} with each of the others, in their order. */
  public double[] cosines(Signature own, List<Signature> others) {
    if (own.dimension() != dimension) {
      throw new IllegalArgumentException(
          own + " given to a scorer of dimension " + dimension + "; make one for its dimension");
    }
    float[] dense = DenseVector.of(own);
    double[] cosines = new double[others.size()];
    for (int i = 0; i < cosines.length; i++) {
      cosines[i] = gatherCosine(own, others.get(i), dense);
    }
    return cosines;
  }

  private static double gatherCosine(Signature own, Signature other, float[] dense) {
    own.requireComparable(other);
    float product =
        SparseKernels.gatherDot(dense, other.indices().shared(), other.values().shared());
    return own.cosine(product, other);
  }
}
