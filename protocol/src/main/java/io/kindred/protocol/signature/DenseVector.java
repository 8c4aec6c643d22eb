package io.kindred.protocol.signature;

import io.kindred.core.weights.SparseKernels;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one signature in a dense vector, from which others can gather. Each thread keeps
 * one, as long as the longest that it has needed: a new one of millions of entries costs more than
 * a comparison. The signature stays until another one comes, because searches compare one signature
 * with many others.
 */
final class DenseVector {
  private static final ThreadLocal<DenseVector> OF_THREAD =
      ThreadLocal.withInitial(DenseVector::new);

  private float[] values = {};
  private @Nullable Signature signature;

  private DenseVector() {}

  /** The entries of a signature, zero elsewhere; valid until the next call of this thread. */
  @SuppressWarnings("ReferenceEquality") // comparing entries would cost as much as writing them
  static float[] of(Signature signature) {
    DenseVector vector = OF_THREAD.get();
    Signature before = vector.signature;
    if (before != signature) {
      if (before != null) {
        SparseKernels.clear(before.indices().shared(), vector.values);
      }
      if (vector.values.length < signature.dimension()) {
        vector.values = new float[signature.dimension()];
      }
      SparseKernels.scatter(
          signature.indices().shared(), signature.values().shared(), vector.values);
      vector.signature = signature;
    }
    return vector.values;
  }
}
