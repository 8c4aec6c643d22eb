package io.kindred.protocol.overlay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.testing.Property;
import io.kindred.protocol.signature.QuantileSketch;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ThresholdTest {
  private static final ThresholdRule RULE = ThresholdRule.DEFAULT;

  private record Round(double start, long passed, long scored, double likeness) {
    static Round draw(RandomStream random, int size) {
      long scored = random.nextInt(size + 1);
      long passed = random.nextInt((int) scored + 1);
      return new Round(random.uniform(-1, 1), passed, scored, random.uniform(-1, 1));
    }

    Threshold threshold() {
      return new Threshold(start);
    }

    Threshold next() {
      return threshold().next(passed, scored, likeness, RULE);
    }
  }

  @Test
  void theUpdateIsThePrintedOne() {
    // 0.5 + 0.05 (6/10 - 0.3) - 0.1 (1 - 0.9)
    assertThat(new Threshold(0.5).next(6, 10, 0.9, RULE).value()).isEqualTo(0.505, within(1e-12));
    // 0.5 + 0.05 (0 - 0.3) - 0
    assertThat(new Threshold(0.5).next(0, 10, 1, RULE).value()).isEqualTo(0.485, within(1e-12));
    assertThat(new Threshold(0.5).next(0, 0, 1, RULE).value()).isEqualTo(0.5);
  }

  @Test
  void itNeverLeavesTheRangeOfACosine() {
    Property.forAll(Round::draw)
        .runs(1_000)
        .holds(round -> assertThat(round.next().value()).isBetween(-1.0, 1.0));
    assertThat(new Threshold(1).next(10, 10, 1, RULE).value()).isEqualTo(1);
    assertThat(new Threshold(-1).next(0, 10, -1, RULE).value()).isEqualTo(-1);
  }

  @Test
  void itRisesWithWhatPassesAndFallsWithDrift() {
    Property.forAll(Round::draw)
        .runs(1_000)
        .holds(
            round -> {
              Threshold next = round.next();
              if (round.passed < round.scored) {
                Threshold more =
                    round.threshold().next(round.passed + 1, round.scored, round.likeness, RULE);
                assertThat(more.value()).isGreaterThanOrEqualTo(next.value());
              }
              Threshold steadier = round.threshold().next(round.passed, round.scored, 1, RULE);
              assertThat(steadier.value()).isGreaterThanOrEqualTo(next.value());
              assertThat(Math.abs(steadier.value() - round.start)).isLessThanOrEqualTo(RULE.step());
            });
  }

  @Test
  void aFullAnswerOrAnEmptyBudgetEndsTheTries() {
    assertThat(new Threshold(0).shouldRetry(5, 5, 1)).isFalse();
    assertThat(new Threshold(0).shouldRetry(4, 5, 0)).isFalse();
    assertThat(new Threshold(0).shouldRetry(4, 5, 1)).isTrue();
  }

  private static double[] similarities(RandomStream random, int count) {
    double centre = random.uniform(-0.5, 0.95);
    double[] drawn = new double[count];
    for (int i = 0; i < count; i++) {
      drawn[i] = Math.clamp(centre + 0.1 * random.nextGaussian(), -1, 1);
    }
    Arrays.sort(drawn);
    return drawn;
  }

  @Test
  void itStartsAtTheQuantileOfWhatWasSeen() {
    Property.forAll((random, size) -> similarities(random, 1 + 5 * size))
        .holds(
            sorted -> {
              QuantileSketch seen = QuantileSketch.empty();
              for (double similarity : sorted) {
                seen = Threshold.observe(seen, similarity);
              }
              int rank = (int) Math.ceil(RULE.target() * sorted.length);
              double exact = sorted[sorted.length - rank];
              double initial = Threshold.initial(seen, RULE).value();
              assertThat(initial).isLessThanOrEqualTo(exact + 1e-6);
              assertThat(initial).isGreaterThanOrEqualTo(exact - (1 - exact) / 64 - 2e-6);
            });
  }

  @Test
  void nothingSeenStartsOpen() {
    assertThat(Threshold.initial(QuantileSketch.empty(), RULE)).isEqualTo(Threshold.ACCEPT_ALL);
    assertThat(Threshold.ACCEPT_ALL.value()).isEqualTo(-1);
  }

  @Test
  void onSteadySimilaritiesTheTargetShareComesToPass() {
    RandomStream random = new RandomStreams(5).stream(Purpose.DATA, 0, 0);
    double[] sorted = similarities(random, 400);
    Threshold threshold = Threshold.ACCEPT_ALL;
    double meanShare = 0;
    for (int round = 0; round < 500; round++) {
      Threshold now = threshold;
      long passed = Arrays.stream(sorted).filter(each -> each >= now.value()).count();
      threshold = now.next(passed, sorted.length, 1, RULE);
      meanShare += round < 400 ? 0 : passed / 400.0 / 100;
    }
    assertThat(meanShare).isEqualTo(RULE.target(), within(0.03));
  }

  @Test
  void whatIsNoThresholdIsRefused() {
    assertThatThrownBy(() -> new Threshold(Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Threshold(1.01)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Threshold(0).next(3, 2, 1, RULE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("3 of 2");
  }
}
