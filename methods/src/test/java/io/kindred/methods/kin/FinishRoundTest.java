package io.kindred.methods.kin;

import static io.kindred.methods.contract.Driver.weights;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.methods.kin.FinishRound.Averaging;
import io.kindred.methods.kin.FinishRound.MeanStep;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FinishRoundTest {
  @Test
  void theVelocityLeadsFromTheModelBeforeToTheMixedOneInEqualSteps() {
    // Learning rate 0.1 and five steps: w - 0.1 v five times.
    Weights velocity = new MeanStep(weights(1, 1), weights(0, 3), 0.5).velocity();
    assertThat(velocity.shared()).containsExactly(2, -4);
    assertThat(1 - 5 * 0.1 * velocity.get(0)).isEqualTo(0, within(1e-6));
    assertThat(1 - 5 * 0.1 * velocity.get(1)).isEqualTo(3, within(1e-6));
  }

  @Test
  void runningStatisticsHaveNoVelocity() {
    Layout layout = Layout.builder().add("dense", 1).add("statistics", false, 1).build();
    Weights before = Weights.copyOf(layout, new float[] {1, 1});
    Weights after = Weights.copyOf(layout, new float[] {0, 9});
    assertThat(new MeanStep(before, after, 1).velocity().shared()).containsExactly(1, 0);
  }

  @Test
  void theAverageIsThePlainMeanUntilItsKeepsItsLongRunShare() {
    assertThat(FinishRound.keep(0.6, 0)).isZero();
    assertThat(FinishRound.keep(0.6, 1)).isEqualTo(0.5);
    assertThat(FinishRound.keep(0.6, 2)).isEqualTo(0.6);
    assertThat(FinishRound.keep(0.6, 100)).isEqualTo(0.6);
    assertThat(FinishRound.keep(0, 100)).isZero();
  }

  @Test
  void threeRoundsOfAveraging() {
    Optional<Weights> average = Optional.empty();
    float[] models = {8, 4, 10};
    for (int round = 0; round < models.length; round++) {
      Averaging step =
          new Averaging(average, weights(models[round], 0), FinishRound.keep(0.6, round));
      average =
          Optional.of(
              new FinishRound(Optional.empty(), List.of(step)).apply().averages().getFirst());
    }
    // 8; (8 + 4) / 2 = 6; 0.6 * 6 + 0.4 * 10 = 7.6.
    assertThat(average.orElseThrow().get(0)).isEqualTo(7.6f, within(1e-6f));
  }
}
