package io.kindred.environment.radio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.radio.FadingLaw.Law;
import io.kindred.environment.radio.PeerPositions.Position;
import java.util.List;
import org.junit.jupiter.api.Test;

class PropagationTest {
  private static final RandomStreams STREAMS = new RandomStreams(23);

  private static PathLoss law(PathLoss.Law law) {
    return new PathLoss(law, 3, 1);
  }

  private static double decibels(PathLoss.Law law, double metres, double gigahertz, boolean sight) {
    return -10 * Math.log10(law(law).gain(metres, gigahertz, sight));
  }

  @Test
  void lossesAreThoseOfTheTablesByHand() {
    // 20 log10(4 pi 100 m / 0.124914 m).
    assertThat(decibels(PathLoss.Law.FREE_SPACE, 100, 2.4, true)).isCloseTo(80.052, within(1e-3));
    // UMi at 60 m, slant 60.599 m: 32.4 + 21 * 1.782469 + 20 * 0.544068.
    assertThat(decibels(PathLoss.Law.UMI, 60, 3.5, true)).isCloseTo(80.7132, within(1e-3));
    // 35.3 * 1.782469 + 22.4 + 21.3 * 0.544068.
    assertThat(decibels(PathLoss.Law.UMI, 60, 3.5, false)).isCloseTo(96.9098, within(1e-3));
    // Beyond the breakpoint at 4 * 9 * 0.5 / 0.0856550 m = 210.15 m, slant 500.072 m:
    // 32.4 + 40 * 2.699033 + 10.881361 - 9.5 * log10(210.15^2 + 8.5^2).
    assertThat(decibels(PathLoss.Law.UMI, 500, 3.5, true)).isCloseTo(107.108, within(1e-3));
    // InH at 10 m, slant 10.198 m: 32.4 + 17.3 * 1.008517 + 10.881361.
    assertThat(decibels(PathLoss.Law.INH, 10, 3.5, true)).isCloseTo(60.7287, within(1e-3));
    // 17.3 + 38.3 * 1.008517 + 24.9 * 0.544068.
    assertThat(decibels(PathLoss.Law.INH, 10, 3.5, false)).isCloseTo(69.4735, within(1e-3));
  }

  @Test
  void pathLossWithoutAFrequencyOfItsTableIsRefused() {
    Channel table = Channel.paperDefaults();
    assertThatThrownBy(() -> law(PathLoss.Law.UMI).check(0.4))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("no path loss at 0.4 gigahertz");
    assertThat(table.withPathLoss(law(PathLoss.Law.UMI)).pathLoss().hasSurroundings()).isTrue();
  }

  @Test
  void linesOfSightAreAsFrequentAsTheirProbability() {
    Channel office = Channel.paperDefaults().withPathLoss(law(PathLoss.Law.INH));
    RandomStream random = STREAMS.stream(new Purpose("test"), 0, 0);
    int seen = 0;
    int links = 6_000;
    for (int i = 0; i < links; i++) {
      // Another building for every link: correlated links would count as one.
      Propagation propagation = new Propagation(office, new RandomStreams(i));
      Position a = new Position(random.uniform(0, 50), random.uniform(0, 50));
      seen += propagation.sees(a, new Position(a.x() + 3, a.y() + 4)) ? 1 : 0;
    }
    double expected = Math.exp(-(5 - 1.2) / 4.7);
    assertThat(seen / (double) links)
        .isCloseTo(expected, within(4 * Math.sqrt(expected * (1 - expected) / links)));
  }

  @Test
  void shadowingIsStandardSymmetricAndFallsExponentiallyWithTheDistance() {
    int draws = 6_000;
    double squares = 0;
    double near = 0;
    double far = 0;
    Position fixed = new Position(0, 0);
    Position end = new Position(30, 10);
    for (int i = 0; i < draws; i++) {
      CorrelatedField field =
          new CorrelatedField(10, new RandomStreams(i).stream(new Purpose("test"), 0, 0));
      double value = field.between(fixed, end);
      squares += value * value;
      near += value * field.between(fixed, new Position(30, 12));
      far += value * field.between(fixed, new Position(30, 25));
      assertThat(field.between(end, fixed)).isCloseTo(value, within(1e-9));
    }
    double tolerance = 4 / Math.sqrt(draws) * Math.sqrt(2);
    assertThat(squares / draws).isCloseTo(1, within(tolerance));
    assertThat(near / draws).isCloseTo(Math.exp(-0.2), within(tolerance));
    assertThat(far / draws).isCloseTo(Math.exp(-1.5), within(tolerance));
  }

  @Test
  void fadingPowersHaveTheMeanAndVarianceOfTheirLaw() {
    // Variance over squared mean: 1 for Rayleigh, 1/m for Nakagami, (1 + 2K) / (1 + K)^2 for
    // Rician.
    assertMoments(new FadingLaw(Law.RAYLEIGH, 2, 4, 2), 1);
    assertMoments(new FadingLaw(Law.NAKAGAMI, 2, 4, 0.5), 2);
    assertMoments(new FadingLaw(Law.NAKAGAMI, 3, 4, 4), 0.25);
    assertMoments(new FadingLaw(Law.RICIAN, 2, 4, 2), 9.0 / 25);
    assertMoments(new FadingLaw(Law.RICIAN, 2, 0, 2), 1);
  }

  private static void assertMoments(FadingLaw law, double relativeVariance) {
    Fading whole = new Fading.Tail(law, 1e-12);
    double mean = law.meanPower();
    // The density of powers has a pole at zero for shapes below one.
    double tolerance = law.shape() < 1 ? 2e-3 : 1e-8;
    assertThat(whole.moment(1)).as("%s", law).isCloseTo(mean, within(tolerance * mean));
    assertThat(whole.moment(2) / (mean * mean) - 1)
        .as("%s", law)
        .isCloseTo(relativeVariance, within(1e-2 * tolerance + 1e-6 + tolerance));
    RandomStream random = STREAMS.stream(new Purpose("test"), 1, 0);
    int draws = 60_000;
    for (double quantile : List.of(0.5, 1.0, 2.0)) {
      int below = 0;
      for (int i = 0; i < draws; i++) {
        below += law.draw(random) < quantile * mean ? 1 : 0;
      }
      double expected = law.below(quantile * mean);
      assertThat(below / (double) draws)
          .as("%s below %s", law, quantile)
          .isCloseTo(expected, within(4 * Math.sqrt(0.25 / draws)));
    }
  }
}
