package io.kindred.learning.engine.jvm;

import io.kindred.core.random.RandomStream;

/**
 * One layer at its place in the flat vector. Values lie as {@link Lanes} says. A layer owns the
 * arrays it answers; they are valid until its next call, and the layer after it may overwrite them.
 */
interface JvmLayer {
  /** What the layer answers in inference. */
  float[] forwardInference(float[] weights, float[] inputs, int samples);

  /** What it answers in training; it may keep the inputs for the way back. */
  default float[] forwardTraining(
      float[] weights, float[] inputs, int samples, RandomStream noise) {
    return forwardInference(weights, inputs, samples);
  }

  /**
   * Takes the slope of the loss along the outputs of the last {@code train}, writes the gradient of
   * the layer's own weights and answers the slope along its inputs. Lanes without a sample are zero
   * in both slopes.
   */
  float[] backward(float[] weights, float[] slope, int samples, float[] gradient);
}
