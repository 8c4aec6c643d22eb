package io.kindred.learning.engine;

import static io.kindred.learning.engine.Lanes.COUNT;

import io.kindred.core.random.RandomStream;

/** The cube root, in place. */
final class CubeRootLayer implements Layer {
  private final int features;
  private float[] roots = {};

  CubeRootLayer(int features) {
    this.features = features;
  }

  @Override
  public float[] evaluate(float[] weights, float[] x, int samples) {
    for (int i = 0; i < Lanes.blocks(samples) * features * COUNT; i++) {
      x[i] = (float) StrictMath.cbrt(x[i]);
    }
    return x;
  }

  @Override
  public float[] train(float[] weights, float[] x, int samples, RandomStream noise) {
    evaluate(weights, x, samples);
    int size = Lanes.blocks(samples) * features * COUNT;
    roots = Lanes.atLeast(roots, size);
    System.arraycopy(x, 0, roots, 0, size);
    return x;
  }

  /** At zero the slope is infinite; zero instead lets the other weights go on learning. */
  @Override
  public float[] back(float[] weights, float[] slope, int samples, float[] gradient) {
    for (int i = 0; i < Lanes.blocks(samples) * features * COUNT; i++) {
      float square = roots[i] * roots[i];
      slope[i] = square == 0 ? 0 : slope[i] / (3 * square);
    }
    return slope;
  }
}
