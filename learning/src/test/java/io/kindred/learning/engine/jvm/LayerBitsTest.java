package io.kindred.learning.engine.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.random.RandomStream;
import io.kindred.learning.engine.LearningFixtures;
import io.kindred.learning.model.LayerShape;
import io.kindred.learning.model.Volume;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kernels without matrix products against plain loops, bit by bit, with blocks that are not full.
 */
class LayerBitsTest {
  private static final float[] NONE = {};
  private static final int[] SAMPLES = {1, 15, 16, 17, 33};
  private static final float[] SPECIAL = {
    0f, -0f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.MIN_VALUE, 1f, 1f
  };

  /** Ordinary values mixed with special ones; equal values are common. */
  private static float[] values(long seed, int count) {
    RandomStream random = LearningFixtures.random(seed);
    float[] values = LayerFixtures.values(random, count);
    for (int i = 0; i < count; i++) {
      if (random.nextInt(3) == 0) {
        values[i] = SPECIAL[random.nextInt(SPECIAL.length)];
      }
    }
    return values;
  }

  /** Bits, with all NaNs equal: the payload that survives an operation depends on the hardware. */
  private static int[] bits(float[] values) {
    int[] bits = new int[values.length];
    Arrays.setAll(bits, i -> Float.floatToIntBits(values[i]));
    return bits;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 50})
  void theRectifierEqualsThePlainLoop(int features) {
    LayerFixtures.RowLayer rowLayer =
        new LayerFixtures.RowLayer(new ReluLayer(features), features, features);
    for (int samples : SAMPLES) {
      float[] x = values(samples, samples * features);
      float[] outputGradient = values(100L + samples, x.length);
      float[] out = new float[x.length];
      float[] back = new float[x.length];
      for (int i = 0; i < x.length; i++) {
        out[i] = Math.max(0, x[i]);
        back[i] = out[i] <= 0 ? 0 : outputGradient[i];
      }
      assertThat(bits(rowLayer.train(NONE, x, samples))).isEqualTo(bits(out));
      assertThat(bits(rowLayer.back(NONE, outputGradient, samples, NONE))).isEqualTo(bits(back));
    }
  }

  static List<LayerShape.MaxPool> pools() {
    return List.of(
        new LayerShape.MaxPool(new Volume(3, 6, 4), 2, 2, 0),
        new LayerShape.MaxPool(new Volume(2, 7, 5), 3, 2, 1),
        new LayerShape.MaxPool(new Volume(1, 5, 6), 3, 1, 0),
        new LayerShape.MaxPool(new Volume(2, 1, 1), 1, 1, 0));
  }

  /**
   * The index of the input value that each output takes: the last NaN, or the first of the largest.
   */
  private static int taken(LayerShape.MaxPool pool, float[] x, int sample, int output) {
    Volume in = pool.input();
    Volume to = pool.output();
    int plane = sample * in.size() + output / to.area() * in.area();
    int top = output % to.area() / to.width() * pool.stride() - pool.padding();
    int left = output % to.width() * pool.stride() - pool.padding();
    int best = -1;
    for (int row = Math.max(0, top); row < Math.min(in.height(), top + pool.window()); row++) {
      for (int c = Math.max(0, left); c < Math.min(in.width(), left + pool.window()); c++) {
        int index = plane + row * in.width() + c;
        if (best < 0 || x[index] > x[best] || Float.isNaN(x[index])) {
          best = index;
        }
      }
    }
    return best;
  }

  @ParameterizedTest
  @MethodSource("pools")
  void poolingEqualsThePlainLoop(LayerShape.MaxPool pool) {
    int inputs = pool.input().size();
    int outputs = pool.output().size();
    LayerFixtures.RowLayer rowLayer =
        new LayerFixtures.RowLayer(new MaxPoolLayer(pool), inputs, outputs);
    for (int samples : SAMPLES) {
      float[] x = values(200L + samples, samples * inputs);
      float[] outputGradient =
          LayerFixtures.values(LearningFixtures.random(300L + samples), samples * outputs);
      float[] out = new float[outputGradient.length];
      float[] back = new float[x.length];
      for (int o = 0; o < out.length; o++) {
        int index = taken(pool, x, o / outputs, o % outputs);
        out[o] = x[index];
        back[index] += outputGradient[o];
      }
      assertThat(bits(rowLayer.train(NONE, x, samples))).isEqualTo(bits(out));
      assertThat(bits(rowLayer.back(NONE, outputGradient, samples, NONE))).isEqualTo(bits(back));
    }
  }

  @Test
  void transpositionPutsEveryValueInItsPlaceAndBack() {
    for (int features : new int[] {1, 2, 15, 16, 17, 1000}) {
      for (int blockCount : new int[] {0, 1, 3}) {
        int samples = blockCount * Lanes.BLOCK_SIZE;
        float[] rows = values(400L + features, samples * features);
        float[] expected = new float[rows.length];
        for (int i = 0; i < rows.length; i++) {
          expected[Lanes.indexOf(i / features, i % features, features)] = rows[i];
        }
        float[] blocks = new float[rows.length];
        Transposition.toBlocks(rows, blocks, blockCount, features);
        assertThat(bits(blocks)).isEqualTo(bits(expected));
        float[] again = new float[rows.length];
        Transposition.toRows(blocks, again, blockCount, features);
        assertThat(bits(again)).isEqualTo(bits(rows));
      }
    }
  }
}
