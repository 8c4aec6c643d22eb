package io.kindred.benchmarks;

import static org.bytedeco.openblas.global.openblas.CblasNoTrans;
import static org.bytedeco.openblas.global.openblas.CblasRowMajor;
import static org.bytedeco.openblas.global.openblas.blas_set_num_threads;
import static org.bytedeco.openblas.global.openblas.cblas_sgemm;

import java.util.Arrays;

/**
 * The peak speed of the machine: products of large square matrices by OpenBLAS, one thread per
 * caller. An engine's share of it shows how far the engine is from the hardware's limit.
 */
final class SgemmPeak {
  private static final int SIZE = 2048;
  private static final double OPERATIONS = 2.0 * SIZE * SIZE * SIZE;

  private SgemmPeak() {}

  /** Operations per second of this thread, the best of several products. */
  static double ofThisThread() {
    blas_set_num_threads(1);
    float[] a = filled(1.5f);
    float[] b = filled(0.5f);
    float[] c = filled(0);
    double best = 0;
    for (int i = 0; i < 12; i++) {
      long start = System.nanoTime();
      cblas_sgemm(
          CblasRowMajor,
          CblasNoTrans,
          CblasNoTrans,
          SIZE,
          SIZE,
          SIZE,
          1,
          a,
          SIZE,
          b,
          SIZE,
          0,
          c,
          SIZE);
      best = Math.max(best, OPERATIONS / ((System.nanoTime() - start) / 1e9));
    }
    return best;
  }

  private static float[] filled(float value) {
    float[] matrix = new float[SIZE * SIZE];
    Arrays.fill(matrix, value);
    return matrix;
  }
}
