package io.kindred.learning.torch;

import static io.kindred.learning.engine.DoubleNetwork.relativeError;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.Samples;
import io.kindred.learning.engine.Batch;
import io.kindred.learning.engine.DoubleNetwork;
import io.kindred.learning.engine.LearningFixtures;
import io.kindred.learning.engine.SampleRows;
import io.kindred.learning.model.Architecture;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Losses and gradients of every kind of layer against finite differences in double precision. */
@NeedsNatives
class LayerGradientTest {
  static Stream<String> nets() {
    return TestNetworks.all().keySet().stream();
  }

  private static void check(Architecture architecture, SampleRows rows) {
    Weights start = architecture.initialWeights(TestNetworks.random(1));
    Batch batch = LearningFixtures.batch(rows);
    float[] weights = start.copy();
    float[] gradient = new float[weights.length];
    double lossSum =
        TestNetworks.engine(architecture)
            .lossAndGradient(weights, batch, gradient, TestNetworks.random(2));
    DoubleNetwork plain = new DoubleNetwork(architecture, () -> TestNetworks.random(2));
    double[] wide = DoubleNetwork.widen(start.shared());
    double loss = plain.loss(wide, batch);
    assertThat(lossSum / batch.size()).isCloseTo(loss, within(1e-5 * loss));

    assertThat(relativeError(gradient, plain.slope(wide, batch))).isLessThan(1e-4);
  }

  @ParameterizedTest
  @MethodSource("nets")
  void theGradientAgreesWithFiniteDifferences(String net) {
    Architecture architecture = TestNetworks.named(net);
    check(
        architecture,
        LearningFixtures.all(LearningFixtures.randomSamples(3, 7, architecture.inputs(), 3)));
  }

  @ParameterizedTest
  @MethodSource("nets")
  void theGradientOfWeightedSamplesAgreesWithFiniteDifferences(String net) {
    Architecture architecture = TestNetworks.named(net);
    Samples samples = LearningFixtures.randomSamples(4, 5, architecture.inputs(), 3);
    Floats weights = Floats.of(1f, 0f, 2.5f, 0.3f, 1f);
    check(
        architecture,
        new SampleRows(samples, LearningFixtures.all(samples).indices(), Optional.of(weights)));
  }
}
