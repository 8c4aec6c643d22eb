package io.kindred.protocol.signature;

import io.kindred.core.weights.SparseKernels;
import java.util.List;

/**
 * Compares one signature with many: its entries are scattered into a dense vector once, and each
 * other signature gathers from it, in time proportional to its entries. Each thread keeps one dense
 * vector, as long as the longest that it has needed, and leaves only zeros in it: a new one of
 * millions of entries costs more than a comparison.
 */
public final class SignatureScorer {
  private static final ThreadLocal<float[]> DENSE = ThreadLocal.withInitial(() -> new float[0]);

  private final int dimension;

  public SignatureScorer(int dimension) {
    this.dimension = dimension;
  }

  private static float[] denseVector(int dimension) {
    float[] known = DENSE.get();
    if (known.length < dimension) {
      known = new float[dimension];
      DENSE.set(known);
    }
    return known;
  }

  /** The cosine of {@code own} with each of the others, in their order. */
  public double[] cosines(Signature own, List<Signature> others) {
    if (own.dimension() != dimension) {
      throw new IllegalArgumentException(
          own + " given to a scorer of dimension " + dimension + "; make one for its dimension");
    }
    float[] dense = denseVector(dimension);
    SparseKernels.scatter(own.indices().shared(), own.values().shared(), dense);
    double[] cosines = new double[others.size()];
    try {
      for (int i = 0; i < cosines.length; i++) {
        cosines[i] = gatherCosine(own, others.get(i), dense);
      }
    } finally {
      SparseKernels.clear(own.indices().shared(), dense);
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
