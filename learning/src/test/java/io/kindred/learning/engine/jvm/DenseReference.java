package io.kindred.learning.engine.jvm;

/**
 * The plain loops that define what {@link DenseLayer} computes, bit by bit. All matrices are rows
 * of samples.
 */
final class DenseReference {
  private DenseReference() {}

  /** out[s][o] = bias[o] + sum over i of x[s][i] w[o][i]. */
  static void forward(
      float[] x, float[] weights, int at, float[] out, int samples, int inputs, int outputs) {
    for (int s = 0; s < samples; s++) {
      for (int o = 0; o < outputs; o++) {
        int row = s * inputs;
        int column = at + o * inputs;
        float bias = weights[at + outputs * inputs + o];
        out[s * outputs + o] =
            GemmReference.sum(bias, inputs, i -> weights[column + i], i -> x[row + i]);
      }
    }
  }

  /** gradient[o][i] = sum over s of delta[s][o] x[s][i], then the bias row, samples in order. */
  static void weightGradient(
      float[] x, float[] delta, float[] gradient, int at, int samples, int inputs, int outputs) {
    for (int o = 0; o < outputs; o++) {
      int output = o;
      float bias = 0;
      for (int s = 0; s < samples; s++) {
        bias += delta[s * outputs + o];
      }
      gradient[at + outputs * inputs + o] = bias;
      for (int i = 0; i < inputs; i++) {
        int input = i;
        gradient[at + o * inputs + i] =
            GemmReference.sum(
                0, samples, s -> delta[s * outputs + output], s -> x[s * inputs + input]);
      }
    }
  }

  /** back[s][i] = sum over o of delta[s][o] w[o][i]. */
  static void inputGradient(
      float[] weights, int at, float[] delta, float[] back, int samples, int inputs, int outputs) {
    for (int s = 0; s < samples; s++) {
      for (int i = 0; i < inputs; i++) {
        int row = s * outputs;
        int column = at + i;
        back[s * inputs + i] =
            GemmReference.sum(0, outputs, o -> weights[column + o * inputs], o -> delta[row + o]);
      }
    }
  }
}
