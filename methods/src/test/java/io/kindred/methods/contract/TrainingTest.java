package io.kindred.methods.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.compute.Optimizer;
import io.kindred.core.config.SettingException;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.Training.Rule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrainingTest {
  private static Training training(Rule rule, double momentum, double decay) {
    return training(rule, momentum, decay, 1);
  }

  private static Training training(Rule rule, double momentum, double decay, int decayEvery) {
    return new Training(
        2,
        8,
        rule,
        0.05,
        momentum,
        true,
        0.01,
        decay,
        decayEvery,
        1.5,
        true,
        Training.Velocity.RESET);
  }

  private static double rate(Training training, int round) {
    return training.optimizerAt(round).learningRate();
  }

  @Test
  void theStepSizeDecaysFromRoundToRound() {
    Training training = training(Rule.SGD, 0, 0.8);
    assertThat(rate(training, 1)).isEqualTo(0.05);
    assertThat(rate(training, 2)).isCloseTo(0.04, within(1e-16));
    assertThat(rate(training, 4)).isCloseTo(0.0256, within(1e-16));
    assertThat(rate(training(Rule.SGD, 0, 1), 1000)).isEqualTo(0.05);
  }

  @Test
  void theStepSizeDecaysOnceInEveryPeriod() {
    Training training = training(Rule.SGD, 0, 0.8, 5);
    for (int round = 1; round <= 5; round++) {
      assertThat(rate(training, round)).isEqualTo(0.05);
      assertThat(rate(training, round + 5)).isCloseTo(0.04, within(1e-16));
    }
    assertThat(rate(training, 11)).isCloseTo(0.032, within(1e-16));
    assertThat(rate(training.withConstantRate(0.3), 11)).isEqualTo(0.3);
  }

  @Test
  void aTicketCarriesTheOptimizerOfItsRound() {
    Weights weights = Weights.wrap(Layout.builder().add("all", 1).build(), new float[1]);
    assertThat(training(Rule.SGD, 0.9, 0.5).round(weights, new PeerId(3), 3).optimizer())
        .isEqualTo(new Optimizer(new Optimizer.Rule.Sgd(0.9, true), 0.0125, 0.01, 1.5));
    assertThat(training(Rule.ADAMW, 0, 0.5).round(weights, new PeerId(3), 1).optimizer())
        .isEqualTo(new Optimizer(new Optimizer.Rule.AdamW(0.9, 0.999, 1e-8), 0.05, 0.01, 1.5));
  }

  @Test
  void adamTakesNoMomentum() {
    assertThatThrownBy(() -> training(Rule.ADAMW, 0.9, 1))
        .isInstanceOfSatisfying(
            SettingException.class,
            invalid -> assertThat(invalid.path()).isEqualTo("training.momentum"));
    Training adam = training(Rule.ADAMW, 0, 1);
    assertThat(adam.withMomentum(0.9)).isEqualTo(adam);
  }

  @Test
  void adamHasNoVelocityToKeep() {
    assertThatThrownBy(
            () ->
                TrainingBuilder.from(training(Rule.ADAMW, 0, 1))
                    .velocity(Training.Velocity.KEEP)
                    .build())
        .isInstanceOfSatisfying(
            SettingException.class,
            invalid -> assertThat(invalid.path()).isEqualTo("training.velocity"));
  }

  /** Many steps on half a squared weight, by the update rules written out in doubles. */
  private static double afterManySteps(double rate, double momentum, boolean nesterov) {
    double weight = 1;
    double velocity = 0;
    for (int step = 0; step < 3000; step++) {
      double slope = weight;
      velocity = momentum * velocity + slope;
      weight -= rate * (nesterov ? slope + momentum * velocity : velocity);
    }
    return Math.abs(weight);
  }

  @ParameterizedTest
  @CsvSource({"0, false, 2", "0.9, false, 3.8", "0.5, true, 1.5"})
  void stepsAboveTheStabilityLimitDiverge(double momentum, boolean nesterov, double limit) {
    Training training =
        new Training(
            1, 8, Rule.SGD, 0.1, momentum, nesterov, 0, 1, 1, 0, false, Training.Velocity.RESET);
    assertThat(training.stabilityLimit()).isCloseTo(limit, within(1e-12));
    assertThat(afterManySteps(0.99 * limit, momentum, nesterov)).isLessThan(1e-3);
    assertThat(afterManySteps(1.01 * limit, momentum, nesterov)).isGreaterThan(1e3);
  }

  @Test
  void boundedStepsHaveNoStabilityLimit() {
    assertThat(training(Rule.SGD, 0, 1).stabilityLimit()).as("clipped").isInfinite();
    assertThat(
            new Training(
                    1, 8, Rule.ADAMW, 0.1, 0, false, 0, 1, 1, 0, false, Training.Velocity.RESET)
                .stabilityLimit())
        .isInfinite();
  }

  @Test
  void changingOneSettingKeepsTheOthers() {
    Training training = training(Rule.SGD, 0.5, 0.8);
    assertThat(training.withMomentum(0.9)).isEqualTo(training(Rule.SGD, 0.9, 0.8));
    assertThat(training.withEpochs(7).withEpochs(2)).isEqualTo(training);
    assertThat(training.withEpochs(7).epochs()).isEqualTo(7);
  }
}
