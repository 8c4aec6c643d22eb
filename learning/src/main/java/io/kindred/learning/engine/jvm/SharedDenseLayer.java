package io.kindred.learning.engine.jvm;

import io.kindred.core.random.RandomStream;

/**
 * A dense layer whose weights may be applied several times in a pass: the gradient of its weights
 * is added to that of the other applications.
 */
final class SharedDenseLayer {
  private final DenseLayer layer;
  private final int offset;
  private final int size;
  private final float[] scratch;

  /** {@code scratch} is as long as the weights up to the end of the layer; others may use it. */
  SharedDenseLayer(int offset, int inputs, int outputs, float[] scratch) {
    this.offset = offset;
    this.scratch = scratch;
    size = size(inputs, outputs);
    layer = new DenseLayer(offset, inputs, outputs, true, new RowMajorView.Transposed(inputs));
  }

  /** The number of weights. */
  static int size(int inputs, int outputs) {
    return outputs * (inputs + 1);
  }

  float[] forwardInference(float[] weights, float[] x, int samples) {
    return layer.forwardInference(weights, x, samples);
  }

  float[] forwardTraining(float[] weights, float[] x, int samples, RandomStream noise) {
    return layer.forwardTraining(weights, x, samples, noise);
  }

  /** As {@link JvmLayer#backward}, but adds the gradient of the weights. */
  float[] backward(float[] weights, float[] outputGradient, int samples, float[] gradient) {
    float[] back = layer.backward(weights, outputGradient, samples, scratch);
    for (int i = offset; i < offset + size; i++) {
      gradient[i] += scratch[i];
    }
    return back;
  }
}
