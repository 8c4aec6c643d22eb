package io.kindred.learning.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.Samples;
import io.kindred.learning.model.Architecture;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GradientTest {
  private static final int CLASSES = 4;

  private static Architecture network(int hiddenLayers) {
    return Tables.network(
        7, CLASSES, IntStream.range(0, hiddenLayers).map(layer -> 5 + 2 * layer).toArray());
  }

  private static void checkAgainstDifferences(Architecture architecture, Rows rows) {
    Weights weights = architecture.initial(Tables.random(5));
    float[] gradient = new float[weights.size()];
    Batch batch = Tables.batch(rows);
    new Network(architecture).gradient(weights.shared(), batch, gradient, Tables.random(0));
    double[] slope =
        new DoubleNetwork(architecture).slope(DoubleNetwork.widen(weights.shared()), batch);
    assertThat(DoubleNetwork.relativeError(gradient, slope)).isLessThan(1e-5);
  }

  /** Without hidden layers it is softmax regression. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void theGradientAgreesWithFiniteDifferences(int hiddenLayers) {
    Samples samples = Tables.randomSamples(1, 9, 7, CLASSES);
    checkAgainstDifferences(network(hiddenLayers), Tables.all(samples));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void theGradientOfWeightedSamplesAgreesWithFiniteDifferences(int hiddenLayers) {
    Samples samples = Tables.randomSamples(2, 9, 7, CLASSES);
    RandomStream random = Tables.random(3);
    float[] sampleWeights = new float[6];
    for (int i = 0; i < sampleWeights.length; i++) {
      sampleWeights[i] = (float) random.uniform(0, 3);
    }
    sampleWeights[2] = 0;
    Ints indices = Ints.of(8, 1, 1, 4, 0, 6);
    checkAgainstDifferences(
        network(hiddenLayers), new Rows(samples, indices, Optional.of(Floats.wrap(sampleWeights))));
  }

  @Test
  void theGradientIsTheMeanOverTheGivenPartOfTheOrder() {
    Architecture architecture = network(1);
    Samples samples = Tables.randomSamples(4, 6, 7, CLASSES);
    Weights weights = architecture.initial(Tables.random(6));
    float[] part = new float[weights.size()];
    new Network(architecture)
        .gradient(
            weights.shared(),
            new Batch(Tables.all(samples), new int[] {5, 3, 0, 2}, 1, 3),
            part,
            Tables.random(0));
    float[] alone = new float[weights.size()];
    new Network(architecture)
        .gradient(
            weights.shared(),
            new Batch(Rows.of(samples, Ints.of(3, 0)), new int[] {0, 1}, 0, 2),
            alone,
            Tables.random(0));
    assertThat(part).containsExactly(alone);
  }

  @Test
  void samplesWithoutWeightGiveNoGradient() {
    Architecture architecture = network(1);
    Rows rows =
        new Rows(
            Tables.randomSamples(7, 2, 7, CLASSES), Ints.of(0, 1), Optional.of(Floats.of(0f, 0f)));
    Weights weights = architecture.initial(Tables.random(8));
    float[] gradient = new float[weights.size()];
    double lossSum =
        new Network(architecture)
            .gradient(
                weights.shared(),
                new Batch(rows, new int[] {0, 1}, 0, 2),
                gradient,
                Tables.random(0));
    assertThat(lossSum).isZero();
    for (float each : gradient) {
      assertThat(each == 0).isTrue();
    }
  }
}
