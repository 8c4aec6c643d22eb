package io.kindred.learning.engine.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class DenseLayerTest {
  private static LayerFixtures.RowLayer probe(int at, int inputs, int outputs) {
    JvmLayer layer = new DenseLayer(at, inputs, outputs, true, new RowMajorView.Transposed(inputs));
    return new LayerFixtures.RowLayer(layer, inputs, outputs);
  }

  private static void forward(
      float[] x, float[] weights, int at, float[] out, int samples, int inputs, int outputs) {
    float[] rows = probe(at, inputs, outputs).train(weights, x, samples);
    System.arraycopy(rows, 0, out, 0, rows.length);
  }

  private static void weightGradient(
      float[] x, float[] delta, float[] gradient, int at, int samples, int inputs, int outputs) {
    LayerFixtures.RowLayer rowLayer = probe(at, inputs, outputs);
    float[] weights = new float[at + outputs * (inputs + 1)];
    rowLayer.train(weights, x, samples);
    rowLayer.back(weights, delta, samples, gradient);
  }

  private static void inputGradient(
      float[] weights, int at, float[] delta, float[] back, int samples, int inputs, int outputs) {
    LayerFixtures.RowLayer rowLayer = probe(at, inputs, outputs);
    rowLayer.train(weights, new float[samples * inputs], samples);
    float[] rows = rowLayer.back(weights, delta, samples, new float[weights.length]);
    System.arraycopy(rows, 0, back, 0, rows.length);
  }

  private interface Case {
    void check(RandomStream random, int samples, int inputs, int outputs);
  }

  /** Inputs 1 to 67 and outputs 1 to 13, each with a few of the sample counts 1 to 88. */
  private static void forAwkwardSizes(Case each) {
    for (int inputs = 1; inputs <= 67; inputs++) {
      for (int outputs = 1; outputs <= 13; outputs++) {
        for (int samples = 1 + (inputs + outputs) % 3; samples <= 88; samples += 29) {
          long key = 1_000L * inputs + 10L * outputs + samples;
          RandomStream random = new RandomStreams(3).stream(new Purpose("dense"), 0, key);
          each.check(random, samples, inputs, outputs);
        }
      }
    }
    // Longer than a run of steps in each direction.
    RandomStream random = new RandomStreams(3).stream(new Purpose("dense"), 1, 0);
    each.check(random, 5, 2 * Gemm.RUN_LENGTH + 3, 11);
    each.check(random, 17, 37, Gemm.RUN_LENGTH + 9);
    each.check(random, Gemm.RUN_LENGTH + 2, 19, 6);
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
          float[] x = LayerFixtures.values(random, samples * inputs);
          float[] weights = LayerFixtures.values(random, 3 + outputs * (inputs + 1));
          float[] fast = new float[samples * outputs + 2];
          float[] plain = new float[samples * outputs + 2];
          forward(x, weights, 3, fast, samples, inputs, outputs);
          DenseReference.forward(x, weights, 3, plain, samples, inputs, outputs);
          checkBits(fast, plain, samples, inputs, outputs);
        });
  }

  @Test
  void weightGradientsAreEqualBitForBitOnAwkwardSizes() {
    forAwkwardSizes(
        (random, samples, inputs, outputs) -> {
          float[] x = LayerFixtures.values(random, samples * inputs);
          float[] delta = LayerFixtures.values(random, samples * outputs);
          // Previous values of the gradient must not affect the result.
          float[] fast = LayerFixtures.values(random, 5 + outputs * (inputs + 1) + 2);
          float[] plain = fast.clone();
          weightGradient(x, delta, fast, 5, samples, inputs, outputs);
          DenseReference.weightGradient(x, delta, plain, 5, samples, inputs, outputs);
          checkBits(fast, plain, samples, inputs, outputs);
        });
  }

  @Test
  void inputGradientsAreEqualBitForBitOnAwkwardSizes() {
    forAwkwardSizes(
        (random, samples, inputs, outputs) -> {
          float[] weights = LayerFixtures.values(random, 1 + outputs * (inputs + 1));
          float[] delta = LayerFixtures.values(random, samples * outputs);
          float[] fast = LayerFixtures.values(random, samples * inputs + 2);
          float[] plain = fast.clone();
          inputGradient(weights, 1, delta, fast, samples, inputs, outputs);
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
    forward(x, weights, 0, out, 2, 2, 1);
    assertThat(out).containsExactly(0.5f, 2.5f);
    float[] gradient = new float[3];
    weightGradient(x, new float[] {1, 10}, gradient, 0, 2, 2, 1);
    assertThat(gradient).containsExactly(31, 42, 11);
    float[] back = new float[4];
    inputGradient(weights, 0, new float[] {1, 10}, back, 2, 2, 1);
    assertThat(back).containsExactly(2, -1, 20, -10);
  }
}
