package io.kindred.environment.radio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.config.SettingException;
import io.kindred.environment.radio.Channel.ErrorOf;
import io.kindred.environment.radio.Channel.InterferenceOf;
import io.kindred.environment.radio.Channel.Moments;
import io.kindred.environment.radio.Channel.NoiseOver;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChannelTest {
  private static final Channel TABLE = Channel.paperDefaults();

  @Test
  void constantsOfTableOneGiveTheNumbersOfAPocketCalculator() {
    assertThat(TABLE.withNoise(NoiseOver.BAND).noiseWatts()).isCloseTo(4.002e-13, within(1e-18));
    // Wavelength 0.1249135 m; (0.1249135 / 4 pi)^2 = 9.88096e-5 at one metre.
    assertThat(TABLE.pathGain(1)).isCloseTo(9.88096e-5, within(1e-9));
    assertThat(TABLE.pathGain(10)).isCloseTo(9.88096e-8, within(1e-12));
    // One sub-channel passes with exp(-4 / 2), and one of fourteen with 1 - (1 - that)^14.
    assertThat(TABLE.transmitProbability()).isCloseTo(0.8694, within(1e-4));
    // A fourteenth of 100 MHz at log2(1 + 10) bits a second and hertz.
    assertThat(TABLE.bytesPerSecond()).isCloseTo(1e8 / 14 * 3.459432 / 8, within(1.0));
  }

  @Test
  void nearerThanTheReferenceCountsAsTheReference() {
    assertThat(TABLE.pathGain(0)).isEqualTo(TABLE.pathGain(1)).isEqualTo(TABLE.pathGain(0.4));
    assertThat(TABLE.pathGain(1.01)).isLessThan(TABLE.pathGain(1));
  }

  @Test
  void nonsenseIsRefusedWithItsKey() {
    assertComplaint("powerWatts", 14, 1, -0.2, 2.4, 100, 2);
    assertComplaint("bandwidthMegahertz", 14, 1, 0.2, 2.4, 0, 2);
    assertComplaint("frequencyGigahertz", 14, 1, 0.2, Double.NaN, 100, 2);
    assertComplaint("subChannels", 0, 1, 0.2, 2.4, 100, 2);
    assertComplaint("pathLoss.referenceMetres", 14, 0, 0.2, 2.4, 100, 2);
    // Nearer than a wavelength over 4 pi, free space would multiply power.
    assertComplaint("pathLoss.referenceMetres", 14, 0.005, 0.2, 2.4, 100, 2);
    assertComplaint("fadingThreshold", 14, 1, 0.2, 2.4, 100, -1);
    assertComplaint("fadingThreshold", 14, 1, 0.2, 2.4, 100, 50);
    assertThatThrownBy(() -> TABLE.pathGain(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  private static void assertComplaint(
      String key,
      int subChannels,
      double reference,
      double power,
      double frequency,
      double bandwidth,
      double beta) {
    assertThatThrownBy(
            () ->
                new Channel(
                    subChannels,
                    FadingLaw.rayleigh(2),
                    PathLoss.singleSlope(3, reference),
                    power,
                    frequency,
                    290,
                    bandwidth,
                    beta,
                    10,
                    Moments.EXACT,
                    ErrorOf.GIVEN_TRANSMISSION,
                    true,
                    NoiseOver.SUB_CHANNEL,
                    InterferenceOf.SAMPLED))
        .isInstanceOfSatisfying(
            SettingException.class,
            invalid -> {
              assertThat(invalid.path()).isEqualTo(key);
              assertThat(invalid.line()).doesNotContain("\n");
            });
  }

  @Test
  void theBestOfManyHasTheMomentsOfAnOrderStatistic() {
    // Without a threshold: mean Gamma H(F), variance Gamma^2 (1 + 1/4 + ... + 1/F^2).
    double harmonic = 0;
    double squares = 0;
    for (int i = 1; i <= 14; i++) {
      harmonic += 1.0 / i;
      squares += 1.0 / (i * i);
    }
    Fading best = new Fading.BestOf(14, FadingLaw.rayleigh(2), 0);
    assertThat(best.mass()).isEqualTo(1);
    assertThat(best.moment(1)).isCloseTo(2 * harmonic, within(1e-10));
    assertThat(best.moment(2)).isCloseTo(4 * (squares + harmonic * harmonic), within(1e-9));
  }

  @Test
  void theBestOfOneIsTheTail() {
    Fading best = new Fading.BestOf(1, FadingLaw.rayleigh(2), 4);
    Fading tail = new Fading.Tail(FadingLaw.rayleigh(2), 4);
    for (int k = 0; k <= 2; k++) {
      assertThat(best.moment(k)).isCloseTo(tail.moment(k), within(1e-11));
    }
    assertThat(best.massUpTo(7)).isCloseTo(tail.massUpTo(7), within(1e-14));
    // (4 + 2) e^-2 and (16 + 16 + 8) e^-2, by hand.
    assertThat(tail.moment(1)).isCloseTo(6 * Math.exp(-2), within(1e-11));
    assertThat(tail.moment(2)).isCloseTo(40 * Math.exp(-2), within(1e-10));
  }

  @Test
  void interferenceExceedsItsMedianHalfOfTheTime() {
    // Mean 3 and variance 9 (e - 1): a log-normal law of scale one and median 3 / sqrt(e).
    Interference loud = new Interference.LogNormal(3, 9 * (Math.E - 1), 0);
    assertThat(loud.exceeds(3 / Math.sqrt(Math.E))).isCloseTo(0.5, within(1e-12));
    assertThat(loud.exceeds(3 / Math.sqrt(Math.E) * Math.E)).isCloseTo(0.158655, within(1e-6));
    assertThat(loud.exceeds(0)).isEqualTo(1);
    assertThat(Interference.NONE.exceeds(1e-300)).isZero();
  }

  @Test
  void silenceTakesItsShareAndKeepsTheMoments() {
    // Half of the time nothing, else exactly two: mean 1, variance 1.
    Interference sometimes = new Interference.LogNormal(1, 1, 0.5);
    assertThat(sometimes.exceeds(1.999)).isCloseTo(0.5, within(1e-12));
    assertThat(sometimes.exceeds(2.001)).isZero();
  }

  @Test
  void aSampleExceedsWhatItsMembersExceed() {
    Interference sample = new Interference.Sample(new double[] {0, 0, 3, 5});
    assertThat(sample.exceeds(0)).isEqualTo(1);
    assertThat(sample.exceeds(1)).isEqualTo(0.5);
    assertThat(sample.exceeds(3)).isEqualTo(0.25);
    assertThat(sample.exceeds(5)).isZero();
  }

  @Test
  void sampledInterferersAreThereWithTheirProbabilityAndIndependentOfEachOther() {
    SampledInterference sampled = new SampledInterference(0.25, new double[] {1, 2});
    // One of a watt: nothing, one or two watts with 3/4, 1/8 and 1/8.
    Interference one = sampled.of(List.of(1.0));
    assertThat(one.exceeds(0.5)).isCloseTo(0.25, within(1e-3));
    assertThat(one.exceeds(1.5)).isCloseTo(0.125, within(2e-3));
    // Two of a watt: more than three only if both have two, up to four standard errors.
    Interference two = sampled.of(List.of(1.0, 1.0));
    assertThat(two.exceeds(3.5)).isCloseTo(1.0 / 64, within(4 * Math.sqrt(1.0 / 64 / 8192)));
    assertThat(two.exceeds(0.5)).isCloseTo(7.0 / 16, within(4 * Math.sqrt(0.25 / 8192)));
  }
}
