package io.kindred.learning.torch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.learning.data.Samples;
import io.kindred.learning.engine.Batch;
import io.kindred.learning.engine.Rows;
import io.kindred.learning.engine.Tables;
import io.kindred.learning.model.Architecture;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Losses and gradients of every kind of layer against finite differences in double precision. */
@NeedsNatives
class LayerGradientTest {
  static Stream<String> nets() {
    return Nets.all().keySet().stream();
  }

  private static void check(Architecture architecture, Rows rows) {
    Weights start = architecture.initial(Nets.random(1));
    Batch batch = Nets.batch(rows);
    float[] weights = start.copy();
    float[] gradient = new float[weights.length];
    double lossSum = Nets.engine(architecture).slope(weights, batch, gradient, Nets.random(2));
    DoubleLayers plain = new DoubleLayers(architecture, () -> Nets.random(2));
    double[] wide = DoubleLayers.widen(start.shared());
    double loss = plain.loss(wide, batch);
    assertThat(lossSum / batch.weightSum()).isCloseTo(loss, within(1e-5 * loss));

    double[] slope = plain.slope(wide, batch);
    double error = 0;
    double norm = 0;
    for (Layout.Block block : architecture.layout().blocks()) {
      for (int i = block.offset(); block.trained() && i < block.end(); i++) {
        error += (gradient[i] - slope[i]) * (gradient[i] - slope[i]);
        norm += slope[i] * slope[i];
      }
    }
    assertThat(Math.sqrt(norm)).isGreaterThan(1e-2);
    assertThat(Math.sqrt(error / norm)).isLessThan(1e-4);
  }

  @ParameterizedTest
  @MethodSource("nets")
  void theGradientAgreesWithFiniteDifferences(String net) {
    Architecture architecture = Nets.named(net);
    check(architecture, Tables.all(Tables.randomSamples(3, 7, architecture.inputs(), 3)));
  }

  @ParameterizedTest
  @MethodSource("nets")
  void theGradientOfWeightedSamplesAgreesWithFiniteDifferences(String net) {
    Architecture architecture = Nets.named(net);
    Samples samples = Tables.randomSamples(4, 5, architecture.inputs(), 3);
    Floats weights = Floats.of(1f, 0f, 2.5f, 0.3f, 1f);
    check(architecture, new Rows(samples, Tables.all(samples).indices(), Optional.of(weights)));
  }
}
