package io.kindred.learning.engine.jvm;

import io.kindred.core.random.RandomStream;

/**
 * One layer with its offset in the flat vector. The memory layout of values is that of {@link
 * Lanes}. A layer owns the arrays it returns; they are valid until its next call, and the next
 * layer may overwrite them.
 */
interface JvmLayer {
  /** The layer's outputs in inference. */
  float[] forwardInference(float[] weights, float[] inputs, int samples);

  /** The layer's outputs in training; the layer may keep the inputs for the backward pass. */
  default float[] forwardTraining(
      float[] weights, float[] inputs, int samples, RandomStream noise) {
    return forwardInference(weights, inputs, samples);
  }

  /**
   * Takes the gradient of the loss along the outputs of the last {@code forwardTraining}, writes
   * the gradient of the layer's own weights and returns the gradient along its inputs. Lanes
   * without a sample are zero in both.
   */
  float[] backward(float[] weights, float[] outputGradient, int samples, float[] gradient);
}
