package io.kindred.learning.engine.jvm;

import static io.kindred.learning.engine.jvm.Lanes.BLOCK_SIZE;

import io.kindred.core.random.RandomStream;
import java.util.Arrays;

/**
 * Drops values in training, in place. One random draw for each value, sample by sample and feature
 * by feature: every engine draws in this order, so that all drop the same values.
 */
final class DropoutLayer implements JvmLayer {
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
  public float[] forwardInference(float[] weights, float[] x, int samples) {
    return x;
  }

  @Override
  public float[] forwardTraining(float[] weights, float[] x, int samples, RandomStream noise) {
    int blocks = Lanes.blocks(samples);
    factors = Lanes.ensureCapacity(factors, blocks * features * BLOCK_SIZE);
    Arrays.fill(factors, 0, blocks * features * BLOCK_SIZE, 0);
    for (int sample = 0; sample < samples; sample++) {
      int index = sample / BLOCK_SIZE * features * BLOCK_SIZE + sample % BLOCK_SIZE;
      for (int feature = 0; feature < features; feature++, index += BLOCK_SIZE) {
        factors[index] = noise.nextDouble() < share ? 0 : scale;
      }
    }
    multiply(x, samples);
    return x;
  }

  private void multiply(float[] values, int samples) {
    for (int i = 0; i < Lanes.blocks(samples) * features * BLOCK_SIZE; i++) {
      values[i] *= factors[i];
    }
  }

  @Override
  public float[] backward(float[] weights, float[] outputGradient, int samples, float[] gradient) {
    multiply(outputGradient, samples);
    return outputGradient;
  }
}
