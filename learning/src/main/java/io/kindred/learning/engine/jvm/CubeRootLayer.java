package io.kindred.learning.engine.jvm;

import static io.kindred.learning.engine.jvm.Lanes.BLOCK_SIZE;

import io.kindred.core.random.RandomStream;

/** The cube root, in place. */
final class CubeRootLayer implements JvmLayer {
  private final int features;
  private float[] roots = {};

  CubeRootLayer(int features) {
    this.features = features;
  }

  @Override
  public float[] forwardInference(float[] weights, float[] x, int samples) {
    for (int i = 0; i < Lanes.blocks(samples) * features * BLOCK_SIZE; i++) {
      x[i] = (float) StrictMath.cbrt(x[i]);
    }
    return x;
  }

  @Override
  public float[] forwardTraining(float[] weights, float[] x, int samples, RandomStream noise) {
    forwardInference(weights, x, samples);
    int size = Lanes.blocks(samples) * features * BLOCK_SIZE;
    roots = Lanes.ensureCapacity(roots, size);
    System.arraycopy(x, 0, roots, 0, size);
    return x;
  }

  /** The derivative at zero is infinite; zero instead lets the other weights continue to learn. */
  @Override
  public float[] backward(float[] weights, float[] outputGradient, int samples, float[] gradient) {
    for (int i = 0; i < Lanes.blocks(samples) * features * BLOCK_SIZE; i++) {
      float square = roots[i] * roots[i];
      outputGradient[i] = square == 0 ? 0 : outputGradient[i] / (3 * square);
    }
    return outputGradient;
  }
}
