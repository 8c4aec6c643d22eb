package io.kindred.learning.engine.jvm;

import io.kindred.core.random.RandomStream;
import io.kindred.learning.engine.LearningFixtures;
import java.util.Arrays;

/** Calls single layers with plain rows of samples. */
final class LayerFixtures {
  private LayerFixtures() {}

  /** Values of very different sizes, so that another order of a sum changes its bits. */
  static float[] values(RandomStream random, int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) (random.nextGaussian() * Math.exp(random.uniform(-4, 4)));
    }
    return values;
  }

  /** A layer that is called with rows; it keeps its scratch memory between calls. */
  record RowLayer(JvmLayer layer, int inputs, int outputs) {
    float[] evaluate(float[] weights, float[] rows, int samples) {
      return rows(
          layer.forwardInference(weights, blocks(rows, samples, inputs), samples),
          samples,
          outputs);
    }

    float[] train(float[] weights, float[] rows, int samples) {
      return train(weights, rows, samples, LearningFixtures.random(0));
    }

    float[] train(float[] weights, float[] rows, int samples, RandomStream noise) {
      float[] blocks = blocks(rows, samples, inputs);
      return rows(layer.forwardTraining(weights, blocks, samples, noise), samples, outputs);
    }

    float[] back(float[] weights, float[] rows, int samples, float[] gradient) {
      float[] outputGradient = blocks(rows, samples, outputs);
      return rows(layer.backward(weights, outputGradient, samples, gradient), samples, inputs);
    }
  }

  private static float[] blocks(float[] rows, int samples, int features) {
    int count = Lanes.blocks(samples);
    float[] blocks = new float[count * Lanes.BLOCK_SIZE * features];
    Transposition.toBlocks(Arrays.copyOf(rows, blocks.length), blocks, count, features);
    return blocks;
  }

  private static float[] rows(float[] blocks, int samples, int features) {
    int count = Lanes.blocks(samples);
    float[] rows = new float[count * Lanes.BLOCK_SIZE * features];
    Transposition.toRows(blocks, rows, count, features);
    return Arrays.copyOf(rows, samples * features);
  }
}
