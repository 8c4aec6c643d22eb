package io.kindred.learning.privacy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.random.RandomStreams;
import io.kindred.core.random.StreamKey;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import org.junit.jupiter.api.Test;

class GaussianMechanismTest {
  private static final GaussianMechanism PAPER = new GaussianMechanism(10, 0.01, 1, 600, 150);
  private static final RandomStreams STREAMS = new RandomStreams(3);
  private static final StreamKey KEY = new StreamKey(ReleaseWeights.PURPOSE, 4, 2);

  private static Weights weights(float... values) {
    return Weights.copyOf(Layout.builder().add("all", values.length).build(), values);
  }

  /** sqrt(2 ln 125) = 3.10751146; times 150 exposures, times 2 / 600, over 10. */
  @Test
  void theDeviationFollowsTheFormula() {
    assertThat(PAPER.sensitivity()).isCloseTo(1 / 300.0, within(1e-15));
    assertThat(PAPER.deviation()).isCloseTo(0.155375573004612, within(1e-14));
    assertThat(new GaussianMechanism(50, 0.01, 1, 100, 1).deviation())
        .isCloseTo(0.001243004584036896, within(1e-16));
  }

  /**
   * Wei et al. also give the noise that their server adds for T aggregations of N clients, 2 c C
   * sqrt(T^2 - L^2 N) / (m N epsilon). It is the difference between the noise of the clients' mean
   * and the deviation c T (2C / (m N)) / epsilon, which no other deviation of the clients fits.
   */
  @Test
  void theDeviationFitsTheServersShareInTheSource() {
    int clients = 50;
    int aggregations = 1200;
    double c = 3.107511462;
    double whole = c * aggregations * 2 / (600.0 * clients) / 10;
    double serverNoise =
        2 * c * Math.sqrt(1200.0 * 1200 - 150.0 * 150 * clients) / (600.0 * clients * 10);
    double perClient = Math.sqrt(clients * (whole * whole - serverNoise * serverNoise));
    assertThat(PAPER.deviation()).isCloseTo(perClient, within(1e-9));
  }

  @Test
  void lossesAddUpOverTheExposures() {
    PrivacyLoss once = PAPER.perExposure();
    assertThat(once.epsilon()).isCloseTo(10 / 150.0, within(1e-15));
    assertThat(once.compose(150).epsilon()).isCloseTo(10, within(1e-12));
    assertThat(once.compose(150).delta()).isEqualTo(1);
    assertThat(new PrivacyLoss(0.5, 0.125).compose(3)).isEqualTo(new PrivacyLoss(1.5, 0.375));
  }

  /** Values from the theorem, computed in Python. */
  @Test
  void advancedCompositionIsSmallerForManySmallLosses() {
    PrivacyLoss composed = new PrivacyLoss(10 / 150.0, 1e-7).composeAdvanced(150, 1e-5);
    assertThat(composed.epsilon()).isCloseTo(4.60737105826713, within(1e-12));
    assertThat(composed.delta()).isCloseTo(150e-7 + 1e-5, within(1e-15));
    assertThat(new PrivacyLoss(0.01, 0).composeAdvanced(1000, 1e-5).epsilon())
        .isCloseTo(1.617928800226826, within(1e-12));
    assertThatThrownBy(() -> new PrivacyLoss(1, 0).composeAdvanced(2, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void longWeightsAreScaledToTheNormAndShortOnesStay() {
    Weights scaled = PAPER.clip(weights(3, -4, 0));
    assertThat(scaled.get(0)).isCloseTo(0.6f, within(1e-7f));
    assertThat(scaled.get(1)).isCloseTo(-0.8f, within(1e-7f));
    assertThat(scaled.get(2)).isZero();
    Weights small = weights(0.6f, 0.1f);
    assertThat(PAPER.clip(small)).isSameAs(small);
  }

  @Test
  void theNoiseHasTheMeanAndTheDeviation() {
    int count = 200_000;
    Weights noisy = PAPER.addNoise(weights(new float[count]), STREAMS.stream(KEY));
    double sum = 0;
    double squares = 0;
    int within = 0;
    for (int i = 0; i < count; i++) {
      sum += noisy.get(i);
      squares += (double) noisy.get(i) * noisy.get(i);
      within += Math.abs(noisy.get(i)) < PAPER.deviation() ? 1 : 0;
    }
    // Five standard errors each.
    assertThat(sum / count).isCloseTo(0, within(5 * PAPER.deviation() / Math.sqrt(count)));
    assertThat(Math.sqrt(squares / count) / PAPER.deviation()).isCloseTo(1, within(0.008));
    assertThat(within / (double) count).isCloseTo(0.6827, within(0.0053));
  }

  @Test
  void aNoisyVarianceIsNeverNegative() {
    Layout layout =
        Layout.builder()
            .add("bn.weight", 500)
            .add("bn.running_mean", false, 500)
            .add("bn.running_var", false, 500)
            .build();
    Weights noisy = PAPER.addNoise(Weights.wrap(layout, new float[1500]), STREAMS.stream(KEY));
    int negative = 0;
    for (int i = 0; i < 1000; i++) {
      negative += noisy.get(i) < 0 ? 1 : 0;
    }
    assertThat(negative).isBetween(400, 600);
    for (int i = 1000; i < 1500; i++) {
      assertThat(noisy.get(i)).isNotNegative();
    }
  }

  @Test
  void aCallReleasesClippedAndNoisyWeights() {
    Weights own = weights(3, -4, 12);
    ReleaseWeights call = new ReleaseWeights(own, PAPER, STREAMS, KEY);
    ReleaseWeights.Released released = (ReleaseWeights.Released) call.apply();
    assertThat(released.weights()).isEqualTo(PAPER.addNoise(PAPER.clip(own), STREAMS.stream(KEY)));
    assertThat(call.apply()).isEqualTo(released);
    assertThat(own.copy()).containsExactly(3, -4, 12);
    assertThat(call.operations()).isPositive();
  }

  @Test
  void impossibleParametersAreRefused() {
    assertThatThrownBy(() -> new GaussianMechanism(0, 0.01, 1, 600, 150))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new GaussianMechanism(10, 1, 1, 600, 150))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new GaussianMechanism(10, 0.01, 1, 0, 150))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0 samples");
  }
}
