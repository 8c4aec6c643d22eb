package io.kindred.learning.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DenseKernelsTest {
  private final DenseKernels kernels = new DenseKernels();

  private interface Case {
    void check(RandomStream random, int samples, int inputs, int outputs);
  }

  /** Inputs 1 to 67 and outputs 1 to 13, each with a few of the sample counts 1 to 9. */
  private static void forAwkwardSizes(Case each) {
    for (int inputs = 1; inputs <= 67; inputs++) {
      for (int outputs = 1; outputs <= 13; outputs++) {
        for (int samples = 1 + (inputs + outputs) % 3; samples <= 9; samples += 3) {
          long key = 1_000L * inputs + 10L * outputs + samples;
          RandomStream random = new RandomStreams(3).stream(new Purpose("dense"), 0, key);
          each.check(random, samples, inputs, outputs);
        }
      }
    }
  }

  private static float[] values(RandomStream random, int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) (random.nextGaussian() * Math.exp(random.uniform(-4, 4)));
    }
    return values;
  }

  private static void checkBits(float[] fast, float[] plain, int samples, int inputs, int outputs) {
    // Mismatch compares bits except that NaNs are alike; the description is built only on failure.
    int different = Arrays.mismatch(fast, plain);
    assertThat(different)
        .as("%d samples, %d inputs, %d outputs", samples, inputs, outputs)
        .isEqualTo(-1);
  }

  @Test
  void scoresAreEqualBitForBitOnAwkwardSizes() {
    forAwkwardSizes(
        (random, samples, inputs, outputs) -> {
          float[] x = values(random, samples * inputs);
          float[] weights = values(random, 3 + outputs * (inputs + 1));
          float[] fast = new float[samples * outputs + 2];
          float[] plain = new float[samples * outputs + 2];
          kernels.forward(x, weights, 3, fast, samples, inputs, outputs);
          DenseReference.forward(x, weights, 3, plain, samples, inputs, outputs);
          checkBits(fast, plain, samples, inputs, outputs);
        });
  }

  @Test
  void weightGradientsAreEqualBitForBitOnAwkwardSizes() {
    forAwkwardSizes(
        (random, samples, inputs, outputs) -> {
          float[] x = values(random, samples * inputs);
          float[] delta = values(random, samples * outputs);
          // Whatever the gradient held before must not shine through.
          float[] fast = values(random, 5 + outputs * (inputs + 1) + 2);
          float[] plain = fast.clone();
          kernels.weightGradient(x, delta, fast, 5, samples, inputs, outputs);
          DenseReference.weightGradient(x, delta, plain, 5, samples, inputs, outputs);
          checkBits(fast, plain, samples, inputs, outputs);
        });
  }

  @Test
  void inputGradientsAreEqualBitForBitOnAwkwardSizes() {
    forAwkwardSizes(
        (random, samples, inputs, outputs) -> {
          float[] weights = values(random, 1 + outputs * (inputs + 1));
          float[] delta = values(random, samples * outputs);
          float[] fast = values(random, samples * inputs + 2);
          float[] plain = fast.clone();
          kernels.inputGradient(weights, 1, delta, fast, samples, inputs, outputs);
          DenseReference.inputGradient(weights, 1, delta, plain, samples, inputs, outputs);
          checkBits(fast, plain, samples, inputs, outputs);
        });
  }

  @Test
  void aLayerByHandComesOutRight() {
    // Two samples, two inputs, one output: weights 2 and -1, bias 0.5.
    float[] weights = {2, -1, 0.5f};
    float[] x = {1, 2, 3, 4};
    float[] out = new float[2];
    kernels.forward(x, weights, 0, out, 2, 2, 1);
    assertThat(out).containsExactly(0.5f, 2.5f);
    float[] gradient = new float[3];
    kernels.weightGradient(x, new float[] {1, 10}, gradient, 0, 2, 2, 1);
    assertThat(gradient).containsExactly(31, 42, 11);
    float[] back = new float[4];
    kernels.inputGradient(weights, 0, new float[] {1, 10}, back, 2, 2, 1);
    assertThat(back).containsExactly(2, -1, 20, -10);
  }
}
