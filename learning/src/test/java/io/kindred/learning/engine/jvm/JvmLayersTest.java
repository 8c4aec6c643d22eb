package io.kindred.learning.engine.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.learning.engine.LearningFixtures;
import io.kindred.learning.model.LayerShape;
import io.kindred.learning.model.Volume;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Layers without matrix products, by hand. */
class JvmLayersTest {
  private static final float[] NONE = {};

  @Test
  void equalValuesGiveTheSlopeToTheFirst() {
    LayerShape.MaxPool shape = new LayerShape.MaxPool(new Volume(1, 2, 4), 2, 2, 0);
    LayerFixtures.RowLayer rowLayer = new LayerFixtures.RowLayer(new MaxPoolLayer(shape), 8, 2);
    assertThat(rowLayer.train(NONE, new float[] {1, 7, 3, 3, 7, 7, 3, 3}, 1)).containsExactly(7, 3);
    assertThat(rowLayer.back(NONE, new float[] {5, 6}, 1, NONE))
        .containsExactly(0, 5, 6, 0, 0, 0, 0, 0);
  }

  @Test
  void poolingDropsRowsThatFillNoWindow() {
    LayerShape.MaxPool shape = new LayerShape.MaxPool(new Volume(1, 3, 3), 2, 2, 0);
    LayerFixtures.RowLayer rowLayer = new LayerFixtures.RowLayer(new MaxPoolLayer(shape), 9, 1);
    assertThat(rowLayer.train(NONE, new float[] {1, 2, 9, 4, 3, 9, 9, 9, 9}, 1)).containsExactly(4);
    assertThat(rowLayer.back(NONE, new float[] {1}, 1, NONE))
        .containsExactly(0, 0, 0, 1, 0, 0, 0, 0, 0);
  }

  @Test
  void whatLiesOutsideNeverIsTheLargest() {
    LayerShape.MaxPool shape = new LayerShape.MaxPool(new Volume(1, 2, 2), 3, 2, 1);
    LayerFixtures.RowLayer rowLayer = new LayerFixtures.RowLayer(new MaxPoolLayer(shape), 4, 1);
    assertThat(rowLayer.train(NONE, new float[] {-4, -2, -3, -5}, 1)).containsExactly(-2);
    assertThat(rowLayer.back(NONE, new float[] {1}, 1, NONE)).containsExactly(0, 1, 0, 0);
  }

  @Test
  void overlappingWindowsAddTheirSlopes() {
    LayerShape.MaxPool shape = new LayerShape.MaxPool(new Volume(1, 1, 3), 1, 1, 0);
    assertThat(shape.output()).isEqualTo(new Volume(1, 1, 3));
    LayerShape.MaxPool wide = new LayerShape.MaxPool(new Volume(1, 2, 3), 2, 1, 0);
    LayerFixtures.RowLayer rowLayer = new LayerFixtures.RowLayer(new MaxPoolLayer(wide), 6, 2);
    assertThat(rowLayer.train(NONE, new float[] {0, 8, 0, 1, 1, 1}, 1)).containsExactly(8, 8);
    assertThat(rowLayer.back(NONE, new float[] {3, 4}, 1, NONE)).containsExactly(0, 7, 0, 0, 0, 0);
  }

  @Test
  void theMeanOfAChannelSharesItsSlope() {
    LayerFixtures.RowLayer rowLayer =
        new LayerFixtures.RowLayer(new AveragePoolLayer(new Volume(2, 1, 4)), 8, 2);
    assertThat(rowLayer.train(NONE, new float[] {1, 2, 3, 6, 0, 0, 0, 2}, 1))
        .containsExactly(3, 0.5f);
    assertThat(rowLayer.back(NONE, new float[] {4, 8}, 1, NONE))
        .containsExactly(1, 1, 1, 1, 2, 2, 2, 2);
  }

  @Test
  void theCubeRootKeepsTheSign() {
    LayerFixtures.RowLayer rowLayer = new LayerFixtures.RowLayer(new CubeRootLayer(3), 3, 3);
    assertThat(rowLayer.train(NONE, new float[] {8, -27, 0}, 1)).containsExactly(2, -3, 0);
    assertThat(rowLayer.back(NONE, new float[] {12, 27, 1}, 1, NONE)).containsExactly(1, 1, 0);
  }

  @Test
  void theRectifierPassesNoSlopeAtZero() {
    LayerFixtures.RowLayer rowLayer = new LayerFixtures.RowLayer(new ReluLayer(3), 3, 3);
    assertThat(rowLayer.train(NONE, new float[] {2, -3, 0}, 1)).containsExactly(2, 0, 0);
    assertThat(rowLayer.back(NONE, new float[] {5, 6, 7}, 1, NONE)).containsExactly(5, 0, 0);
  }

  @Test
  void runningStatisticsFollowTheBatchInTrainingOnly() {
    // Values 1, 3, 5, 7 of one channel: mean 4, variance 5, unbiased 20 / 3.
    JvmLayer layer = new BatchNormLayer(1, new LayerShape.BatchNorm("n", 1, 2));
    LayerFixtures.RowLayer rowLayer = new LayerFixtures.RowLayer(layer, 2, 2);
    float[] weights = {9, 2, 10, 1, 3};
    float[] x = {1, 3, 5, 7};
    float[] trained = rowLayer.train(weights, x, 2);
    double root = Math.sqrt(5 + 1e-5);
    for (int i = 0; i < 4; i++) {
      assertThat((double) trained[i]).isCloseTo(10 + 2 * (x[i] - 4) / root, within(1e-6));
    }
    assertThat(weights[3]).isCloseTo(0.9f + 0.4f, within(1e-6f));
    assertThat(weights[4]).isCloseTo((float) (0.9 * 3 + 0.1 * 20 / 3), within(1e-6f));
    assertThat(weights).startsWith(9, 2, 10);

    float[] before = weights.clone();
    float[] evaluated = rowLayer.evaluate(weights, x, 2);
    assertThat(weights).containsExactly(before);
    double running = Math.sqrt(weights[4] + 1e-5);
    for (int i = 0; i < 4; i++) {
      assertThat((double) evaluated[i])
          .isCloseTo(10 + 2 * (x[i] - weights[3]) / running, within(1e-5));
    }
  }

  @Test
  void aSingleValuePerChannelLeavesRunningStatisticsAlone() {
    LayerFixtures.RowLayer rowLayer =
        new LayerFixtures.RowLayer(
            new BatchNormLayer(0, new LayerShape.BatchNorm("n", 1, 1)), 1, 1);
    float[] weights = {1, 0, 2, 3};
    rowLayer.train(weights, new float[] {5}, 1);
    assertThat(weights).containsExactly(1, 0, 2, 3);
  }

  @Test
  void aGradientLeavesRunningStatisticsAlone() {
    JvmLayer layer = new BatchNormLayer(0, new LayerShape.BatchNorm("n", 1, 1));
    LayerFixtures.RowLayer rowLayer = new LayerFixtures.RowLayer(layer, 1, 1);
    float[] weights = {1, 0, 0, 1};
    float[] gradient = {7, 7, 7, 7};
    rowLayer.train(weights, new float[] {1, 2, 4}, 3);
    rowLayer.back(weights, new float[] {1, 1, 1}, 3, gradient);
    assertThat(gradient[0]).isCloseTo(0, within(1e-6f));
    assertThat(gradient).endsWith(3, 7, 7);
  }

  @Test
  void droppedValuesKeepTheMeanAndTheStream() {
    int samples = 41;
    int features = 500;
    float[] ones = new float[samples * features];
    Arrays.fill(ones, 1);
    LayerFixtures.RowLayer rowLayer =
        new LayerFixtures.RowLayer(new DropoutLayer(0.25, features), features, features);
    float[] dropped = rowLayer.train(NONE, ones, samples, LearningFixtures.random(1));
    double sum = 0;
    for (float value : dropped) {
      assertThat(value == 0 || value == (float) (1 / 0.75)).isTrue();
      sum += value;
    }
    assertThat(sum / dropped.length).isCloseTo(1, within(0.02));
    assertThat(rowLayer.back(NONE, ones, samples, NONE)).containsExactly(dropped);
    assertThat(rowLayer.train(NONE, ones, samples, LearningFixtures.random(1)))
        .containsExactly(dropped);
    assertThat(rowLayer.train(NONE, ones, samples, LearningFixtures.random(2)))
        .isNotEqualTo(dropped);
    assertThat(rowLayer.evaluate(NONE, ones, samples)).containsExactly(ones);
  }
}
