package io.kindred.learning.engine;

import static io.kindred.learning.engine.Lanes.COUNT;

import io.kindred.core.random.RandomStream;
import java.util.Arrays;

/**
 * Drops values in training, in place. One draw for each value, sample by sample and feature by
 * feature: the order in which every engine draws, so that all drop the same values.
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
    Arrays.fill(factors, 0, blocks * features * COUNT, 0);
    for (int sample = 0; sample < samples; sample++) {
      int place = sample / COUNT * features * COUNT + sample % COUNT;
      for (int feature = 0; feature < features; feature++, place += COUNT) {
        factors[place] = noise.nextDouble() < share ? 0 : scale;
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
