package io.kindred.learning.engine.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.Samples;
import io.kindred.learning.engine.Batch;
import io.kindred.learning.engine.DoubleNetwork;
import io.kindred.learning.engine.LearningFixtures;
import io.kindred.learning.engine.SampleRows;
import io.kindred.learning.model.Architecture;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GradientTest {
  private static final int CLASSES = 4;

  private static Architecture network(int hiddenLayers) {
    return LearningFixtures.network(
        7, CLASSES, IntStream.range(0, hiddenLayers).map(layer -> 5 + 2 * layer).toArray());
  }

  private static void checkAgainstDifferences(Architecture architecture, SampleRows rows) {
    Weights weights = architecture.initialWeights(LearningFixtures.random(5));
    float[] gradient = new float[weights.size()];
    Batch batch = LearningFixtures.batch(rows);
    new JvmNetwork(architecture)
        .gradient(weights.shared(), batch, gradient, LearningFixtures.random(0));
    double[] expected =
        new DoubleNetwork(architecture).slope(DoubleNetwork.widen(weights.shared()), batch);
    assertThat(DoubleNetwork.relativeError(gradient, expected)).isLessThan(1e-5);
  }

  /** Without hidden layers it is softmax regression. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void theGradientAgreesWithFiniteDifferences(int hiddenLayers) {
    Samples samples = LearningFixtures.randomSamples(1, 9, 7, CLASSES);
    checkAgainstDifferences(network(hiddenLayers), LearningFixtures.all(samples));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void theGradientOfWeightedSamplesAgreesWithFiniteDifferences(int hiddenLayers) {
    Samples samples = LearningFixtures.randomSamples(2, 9, 7, CLASSES);
    RandomStream random = LearningFixtures.random(3);
    float[] sampleWeights = new float[6];
    for (int i = 0; i < sampleWeights.length; i++) {
      sampleWeights[i] = (float) random.uniform(0, 3);
    }
    sampleWeights[2] = 0;
    Ints indices = Ints.of(8, 1, 1, 4, 0, 6);
    checkAgainstDifferences(
        network(hiddenLayers),
        new SampleRows(samples, indices, Optional.of(Floats.wrap(sampleWeights))));
  }

  @Test
  void theGradientIsTheMeanOverTheGivenPartOfTheOrder() {
    Architecture architecture = network(1);
    Samples samples = LearningFixtures.randomSamples(4, 6, 7, CLASSES);
    Weights weights = architecture.initialWeights(LearningFixtures.random(6));
    float[] part = new float[weights.size()];
    new JvmNetwork(architecture)
        .gradient(
            weights.shared(),
            new Batch(LearningFixtures.all(samples), new int[] {5, 3, 0, 2}, 1, 3),
            part,
            LearningFixtures.random(0));
    float[] alone = new float[weights.size()];
    new JvmNetwork(architecture)
        .gradient(
            weights.shared(),
            new Batch(SampleRows.of(samples, Ints.of(3, 0)), new int[] {0, 1}, 0, 2),
            alone,
            LearningFixtures.random(0));
    assertThat(part).containsExactly(alone);
  }

  @Test
  void samplesWithoutWeightGiveNoGradient() {
    Architecture architecture = network(1);
    SampleRows rows =
        new SampleRows(
            LearningFixtures.randomSamples(7, 2, 7, CLASSES),
            Ints.of(0, 1),
            Optional.of(Floats.of(0f, 0f)));
    Weights weights = architecture.initialWeights(LearningFixtures.random(8));
    float[] gradient = new float[weights.size()];
    double lossSum =
        new JvmNetwork(architecture)
            .gradient(
                weights.shared(),
                new Batch(rows, new int[] {0, 1}, 0, 2),
                gradient,
                LearningFixtures.random(0));
    assertThat(lossSum).isZero();
    for (float each : gradient) {
      assertThat(each == 0).isTrue();
    }
  }
}
