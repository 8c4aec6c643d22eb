package io.kindred.core.weights;

/**
 * The plain loops that define what {@link VectorKernels} computes, bit by bit; tests compare the
 * two on awkward lengths.
 */
final class VectorKernelsReference {
  private VectorKernelsReference() {}

  static void axpy(float a, float[] x, int xFrom, float[] y, int yFrom, int count) {
    for (int i = 0; i < count; i++) {
      y[yFrom + i] = Math.fma(x[xFrom + i], a, y[yFrom + i]);
    }
  }

  static float dot(float[] x, int xFrom, float[] y, int yFrom, int count) {
    float[] lanes = new float[VectorKernels.LANES];
    for (int i = 0; i < count; i++) {
      int lane = i % VectorKernels.LANES;
      lanes[lane] = Math.fma(x[xFrom + i], y[yFrom + i], lanes[lane]);
    }
    for (int half = VectorKernels.LANES / 2; half > 0; half /= 2) {
      for (int lane = 0; lane < half; lane++) {
        lanes[lane] += lanes[lane + half];
      }
    }
    return lanes[0];
  }
}
