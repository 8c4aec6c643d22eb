package io.kindred.learning.engine;

import static io.kindred.learning.engine.Lanes.COUNT;

import io.kindred.core.random.RandomStream;

/**
 * Drops values in training, in place. One draw for each value, block by block and feature by
 * feature; lanes without a sample draw nothing.
 */
final class DropoutLayer implements Layer {
  private final double share;
  private final float scale;
  private final int features;
  private float[] factors = {};

  DropoutLayer(double share, int features) {
    this.share = share;
    this.scale = (float) (1 / (1 - share));
    this.features = features;
  }

  @Override
  public float[] evaluate(float[] weights, float[] x, int samples) {
    return x;
  }

  @Override
  public float[] train(float[] weights, float[] x, int samples, RandomStream noise) {
    int blocks = Lanes.blocks(samples);
    factors = Lanes.atLeast(factors, blocks * features * COUNT);
    for (int row = 0; row < blocks * features; row++) {
      int filled = Lanes.filled(row / features, samples);
      for (int lane = 0; lane < COUNT; lane++) {
        boolean kept = lane < filled && noise.nextDouble() >= share;
        factors[row * COUNT + lane] = kept ? scale : 0;
      }
    }
    multiply(x, samples);
    return x;
  }

  private void multiply(float[] values, int samples) {
    for (int i = 0; i < Lanes.blocks(samples) * features * COUNT; i++) {
      values[i] *= factors[i];
    }
  }

  @Override
  public float[] back(float[] weights, float[] slope, int samples, float[] gradient) {
    multiply(slope, samples);
    return slope;
  }
}
