package io.kindred.learning.engine.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.random.RandomStream;
import io.kindred.learning.engine.LearningFixtures;
import io.kindred.learning.model.LayerShape.Convolution;
import io.kindred.learning.model.LayerShape.GroupedConvolution;
import io.kindred.learning.model.LayerShape.GroupedConvolution.Extent;
import io.kindred.learning.model.Volume;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConvolutionLayerTest {
  private static LayerFixtures.RowLayer probe(Convolution shape, int at) {
    return probe(shape.grouped(), at);
  }

  private static LayerFixtures.RowLayer probe(GroupedConvolution shape, int at) {
    JvmLayer layer = new ConvolutionLayer(at, shape, true);
    return new LayerFixtures.RowLayer(layer, shape.input().size(), shape.output().size());
  }

  private static int weights(Convolution shape) {
    return weights(shape.grouped());
  }

  private static int weights(GroupedConvolution shape) {
    return shape.filters() * (shape.fanIn() + (shape.bias() ? 1 : 0));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 1, 1, 1, 1, 0, true, 1",
    "1, 5, 7, 1, 3, 1, 0, true, 2",
    "2, 6, 5, 3, 3, 1, 1, false, 17",
    "3, 9, 8, 6, 5, 1, 2, true, 16",
    "3, 9, 8, 5, 3, 2, 1, true, 5",
    "2, 7, 7, 9, 2, 2, 0, false, 33",
    "4, 8, 9, 8, 3, 3, 2, true, 3",
    "1, 4, 4, 2, 1, 1, 2, true, 4",
    "13, 10, 11, 13, 5, 1, 0, true, 20",
    "6, 3, 3, 23, 3, 1, 4, true, 1",
    "9, 6, 6, 7, 4, 3, 3, false, 48",
  })
  void allPassesAreEqualBitForBitOnAwkwardSizes(
      int channels,
      int height,
      int width,
      int filters,
      int kernel,
      int stride,
      int padding,
      boolean bias,
      int samples) {
    Volume input = new Volume(channels, height, width);
    checkAllPasses(
        new Convolution("c", input, filters, kernel, stride, padding, bias).grouped(), samples);
  }

  /** Filters that are not square, see some of the channels only, or both. */
  @ParameterizedTest
  @CsvSource({
    "4, 6, 5, 8, 3, 3, 1, 1, 1, 1, 2, 17",
    "6, 7, 7, 6, 3, 3, 2, 2, 1, 1, 6, 5",
    "5, 6, 9, 10, 5, 5, 1, 1, 2, 2, 5, 16",
    "3, 1, 40, 12, 1, 9, 1, 3, 0, 4, 3, 18",
    "8, 5, 8, 8, 2, 5, 2, 1, 1, 0, 4, 33",
    "12, 3, 9, 24, 3, 1, 1, 2, 1, 0, 1, 3",
  })
  void groupsAndOblongFiltersAreEqualBitForBit(
      int channels,
      int height,
      int width,
      int filters,
      int kernelHeight,
      int kernelWidth,
      int strideHeight,
      int strideWidth,
      int paddingHeight,
      int paddingWidth,
      int groups,
      int samples) {
    checkAllPasses(
        new GroupedConvolution(
            "c",
            new Volume(channels, height, width),
            filters,
            new Extent(kernelHeight, kernelWidth),
            new Extent(strideHeight, strideWidth),
            new Extent(paddingHeight, paddingWidth),
            groups,
            groups % 2 == 0),
        samples);
  }

  private static void checkAllPasses(GroupedConvolution shape, int samples) {
    checkAllPasses(shape, samples, 0);
  }

  /** {@code zeros} is the share of zeros in the gradient along the outputs. */
  private static void checkAllPasses(GroupedConvolution shape, int samples, double zeros) {
    Volume input = shape.input();
    RandomStream random = LearningFixtures.random(input.channels() + 31L * shape.filters());
    int at = 3;
    float[] x = LayerFixtures.values(random, samples * input.size());
    float[] weights = LayerFixtures.values(random, at + weights(shape) + 2);
    float[] delta = LayerFixtures.values(random, samples * shape.output().size());
    for (int i = 0; zeros > 0 && i < delta.length; i++) {
      delta[i] = random.nextDouble() < zeros ? (i % 2 == 0 ? 0f : -0f) : delta[i];
    }

    LayerFixtures.RowLayer rowLayer = probe(shape, at);
    float[] plain = new float[delta.length];
    ConvolutionReference.forward(x, weights, at, plain, samples, shape);
    checkBits(rowLayer.evaluate(weights, x, samples), plain);
    checkBits(rowLayer.train(weights, x, samples), plain);

    float[] fastGradient = LayerFixtures.values(random, weights.length);
    float[] gradient = fastGradient.clone();
    float[] fastBack = rowLayer.back(weights, delta, samples, fastGradient);
    ConvolutionReference.weightGradient(x, delta, gradient, at, samples, shape);
    checkBits(fastGradient, gradient);
    float[] back = new float[x.length];
    ConvolutionReference.inputGradient(weights, at, delta, back, samples, shape);
    checkBits(fastBack, back);
  }

  /** Sums beyond one run of positions and of filters, filter rows that fill no register. */
  @ParameterizedTest
  @CsvSource({
    "16, 10, 9, 14, 5, 1, 0, 17, 0.75",
    "32, 12, 12, 7, 5, 1, 0, 20, 0.8",
    "16, 7, 8, 30, 3, 1, 1, 16, 0.9",
    "48, 6, 6, 9, 3, 2, 1, 5, 0.95",
    "3, 20, 20, 5, 5, 1, 2, 33, 0.95",
    "6, 9, 11, 16, 5, 1, 0, 3, 0.95",
    "64, 4, 4, 70, 3, 1, 1, 2, 0.99",
    "16, 5, 5, 300, 1, 1, 0, 18, 0.95",
    "16, 5, 5, 3, 3, 1, 0, 2, 1",
  })
  void gradientsWithManyZerosAreEqualBitForBit(
      int channels,
      int height,
      int width,
      int filters,
      int kernel,
      int stride,
      int padding,
      int samples,
      double zeros) {
    Volume input = new Volume(channels, height, width);
    GroupedConvolution shape =
        new Convolution("c", input, filters, kernel, stride, padding, true).grouped();
    assertThat(leavesOutZeros(shape, 1 - zeros)).isTrue();
    checkAllPasses(shape, samples, zeros);
  }

  /** Whether the backward pass of a batch of 16 samples lists the values of its gradient. */
  private static boolean leavesOutZeros(GroupedConvolution shape, double nonzero) {
    float[] gradient = new float[Lanes.BLOCK_SIZE * shape.output().size()];
    for (int i = 0; i < gradient.length; i++) {
      gradient[i] = i % 100 < 100 * nonzero ? 1 : 0;
    }
    Volume padded = new ZeroPadding(shape.input(), shape.padding()).paddedVolume();
    SparseBackward backward = SparseBackward.of(0, shape, padded, true);
    return backward != null && backward.load(gradient, 1);
  }

  @Test
  void gradientsWithFewZerosAreNotListed() {
    GroupedConvolution shape =
        new Convolution("c", new Volume(32, 12, 12), 64, 5, 1, 0, true).grouped();
    assertThat(leavesOutZeros(shape, 0.25)).isTrue();
    assertThat(leavesOutZeros(shape, 0.9)).isFalse();
  }

  private static void checkBits(float[] fast, float[] plain) {
    assertThat(fast).hasSameSizeAs(plain);
    assertThat(Arrays.mismatch(fast, plain)).isEqualTo(-1);
  }

  @Test
  void aLargerBatchBeforeLeavesNoTrace() {
    Convolution shape = new Convolution("c", new Volume(2, 5, 5), 3, 3, 1, 1, true);
    RandomStream random = LearningFixtures.random(4);
    float[] weights = LayerFixtures.values(random, weights(shape));
    float[] many = LayerFixtures.values(random, 40 * shape.input().size());
    float[] few = LayerFixtures.values(random, 3 * shape.input().size());
    float[] delta = LayerFixtures.values(random, 40 * shape.output().size());
    float[] first = new float[weights.length];
    float[] second = new float[weights.length];
    LayerFixtures.RowLayer used = probe(shape, 0);
    used.train(weights, many, 40);
    used.back(weights, delta, 40, first);
    float[] after = used.train(weights, few, 3);
    float[] backAfter = used.back(weights, Arrays.copyOf(delta, 3 * 75), 3, first);
    LayerFixtures.RowLayer fresh = probe(shape, 0);
    checkBits(after, fresh.train(weights, few, 3));
    checkBits(backAfter, fresh.back(weights, Arrays.copyOf(delta, 3 * 75), 3, second));
    checkBits(first, second);
  }

  @Test
  void aFilterByHandComesOutRight() {
    // A 2 x 2 filter with stride 1 over a 2 x 3 picture.
    Convolution shape = new Convolution("c", new Volume(1, 2, 3), 1, 2, 1, 0, true);
    float[] weights = {1, 2, 3, 4, 0.5f};
    LayerFixtures.RowLayer rowLayer = probe(shape, 0);
    assertThat(rowLayer.train(weights, new float[] {1, 0, 2, -1, 3, 1}, 1))
        .containsExactly(1 - 3 + 12 + 0.5f, 4 + 9 + 4 + 0.5f);
    float[] gradient = new float[5];
    assertThat(rowLayer.back(weights, new float[] {1, 10}, 1, gradient))
        .containsExactly(1, 12, 20, 3, 34, 40);
    assertThat(gradient).containsExactly(1, 20, 29, 13, 11);
  }
}
