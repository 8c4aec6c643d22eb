package io.kindred.learning.engine;

import io.kindred.core.weights.Flat;

/**
 * The plain loops that say what {@link DenseKernels} computes, bit by bit. All matrices are rows of
 * samples.
 */
final class DenseReference {
  private DenseReference() {}

  /**
   * out[s][o] = bias[o] + sum over i of x[s][i] w[o][i]; the sum in the logical lanes of {@link
   * Flat}.
   */
  static void forward(
      float[] x, float[] weights, int at, float[] out, int samples, int inputs, int outputs) {
    for (int s = 0; s < samples; s++) {
      for (int o = 0; o < outputs; o++) {
        float[] lanes = new float[Flat.LANES];
        for (int i = 0; i < inputs; i++) {
          int lane = i % Flat.LANES;
          lanes[lane] = Math.fma(x[s * inputs + i], weights[at + o * inputs + i], lanes[lane]);
        }
        out[s * outputs + o] = weights[at + outputs * inputs + o] + Flat.sumLanes(lanes, 0);
      }
    }
  }

  /** gradient[o][i] = sum over s of delta[s][o] x[s][i], samples in order, then the bias row. */
  static void weightGradient(
      float[] x, float[] delta, float[] gradient, int at, int samples, int inputs, int outputs) {
    for (int o = 0; o < outputs; o++) {
      float bias = 0;
      for (int s = 0; s < samples; s++) {
        bias += delta[s * outputs + o];
      }
      gradient[at + outputs * inputs + o] = bias;
      for (int i = 0; i < inputs; i++) {
        float sum = 0;
        for (int s = 0; s < samples; s++) {
          sum = Math.fma(x[s * inputs + i], delta[s * outputs + o], sum);
        }
        gradient[at + o * inputs + i] = sum;
      }
    }
  }

  /** back[s][i] = sum over o of delta[s][o] w[o][i], outputs in order. */
  static void inputGradient(
      float[] weights, int at, float[] delta, float[] back, int samples, int inputs, int outputs) {
    for (int s = 0; s < samples; s++) {
      for (int i = 0; i < inputs; i++) {
        float sum = 0;
        for (int o = 0; o < outputs; o++) {
          sum = Math.fma(weights[at + o * inputs + i], delta[s * outputs + o], sum);
        }
        back[s * inputs + i] = sum;
      }
    }
  }
}
