package io.kindred.protocol.signature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.random.RandomStream;
import io.kindred.core.testing.Property;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.SparseKernels;
import io.kindred.core.weights.VectorKernels;
import io.kindred.core.weights.Weights;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SignatureStateTest {
  private static final SignatureRule RULE =
      rule(SignatureRule.Subject.WEIGHTS, 0, 3, 0.8, 0, 0.05, 1);

  private static SignatureRule rule(
      SignatureRule.Subject of,
      double smoothing,
      int refresh,
      double retention,
      double margin,
      double guard,
      int granularity) {
    return new SignatureRule(
        of, smoothing, refresh, retention, margin, guard, granularity, 0.9, 0.5, Precision.FLOAT32);
  }

  private static SignatureRule retaining(double retention, double margin, int granularity) {
    return rule(SignatureRule.Subject.WEIGHTS, 0, 3, retention, margin, 0.05, granularity);
  }

  private static Weights weights(float... values) {
    return Weights.copyOf(Layout.builder().add("all", values.length).build(), values);
  }

  private static Weights draw(RandomStream random, int size) {
    float[] values = new float[1 + random.nextInt(4 * size)];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextInt(4) == 0 ? random.nextInt(3) : (float) random.nextGaussian();
    }
    return weights(values);
  }

  private static int least(Weights weights, SignatureRule rule) {
    return Cardinality.minimum(weights, rule.importance(Optional.empty(), weights), rule);
  }

  @Test
  void theLeastNumberKeepsTheCosineAndOneFewerDoesNot() {
    Property.forAll(SignatureStateTest::draw)
        .runs(300)
        .holds(
            weights -> {
              int least = least(weights, RULE);
              Ints enough = SparseKernels.largest(weights.shared(), least);
              assertThat(SignatureState.retention(weights, enough))
                  .isGreaterThanOrEqualTo(0.8 - 1e-6);
              if (VectorKernels.dot(weights, weights) > 0) {
                Ints fewer = SparseKernels.largest(weights.shared(), least - 1);
                assertThat(SignatureState.retention(weights, fewer)).isLessThan(0.8 + 1e-6);
              }
            });
  }

  @Test
  void keepingEverythingTakesAllThatIsNotZero() {
    Property.forAll(SignatureStateTest::draw)
        .runs(300)
        .holds(
            weights -> {
              int zeros = 0;
              for (float value : weights.shared()) {
                zeros += value == 0 ? 1 : 0;
              }
              int all = weights.size() == zeros ? zeros : weights.size() - zeros;
              assertThat(least(weights, retaining(1, 0, 1))).isEqualTo(all);
            });
  }

  @Test
  void theLeastNumberIsTheOneComputedByHand() {
    // Squares 9, 4, 4, 1, 1, 1: sums 9, 13, 17, 18, 19, 20.
    Weights weights = weights(1, -3, 1, 2, 0, 1, -2);
    assertThat(least(weights, retaining(0.67, 0, 1))).isEqualTo(1);
    assertThat(least(weights, retaining(0.8, 0, 1))).isEqualTo(2);
    assertThat(least(weights, retaining(0.8, 0.05, 1))).isEqualTo(3);
    assertThat(least(weights, retaining(0.8, 0, 4))).isEqualTo(4);
    assertThat(least(weights, retaining(0.8, 0, 32))).isEqualTo(7);
    assertThat(least(weights, retaining(1, 0, 1))).isEqualTo(6);
    assertThat(least(weights, retaining(0.9, 0.2, 1))).isEqualTo(7);
    assertThat(least(weights(0, 0, 0), RULE)).isEqualTo(3);
  }

  @Test
  void importanceOtherThanMagnitudeOrdersTheEntries() {
    Weights weights = weights(3, 2, 1);
    Weights importance = weights(1, 2, 3);
    // Squares in order of importance: 1, 4, 9; the wanted 0.64 of 14 needs all three.
    assertThat(Cardinality.minimum(weights, importance, RULE)).isEqualTo(3);
    assertThat(Cardinality.minimum(weights, weights, RULE)).isEqualTo(1);
  }

  @Test
  void importanceIsSmoothed() {
    SignatureRule rule = rule(SignatureRule.Subject.WEIGHTS, 0.75, 1, 0.8, 0, 0.05, 1);
    Weights first = rule.importance(Optional.empty(), weights(-4, 2));
    assertThat(first).isEqualTo(weights(4, 2));
    assertThat(rule.importance(Optional.of(first), weights(0, -6))).isEqualTo(weights(3, 3));
  }

  @Test
  void smoothedImportanceDecidesWhichPlacesAreTaken() {
    SignatureRule rule = rule(SignatureRule.Subject.WEIGHTS, 0.75, 1, 0.8, 0, 0.05, 1);
    SignatureState state = SignatureState.first(rule, weights(-4, 2, 0), 1);
    SignatureState next = state.next(rule, weights(1, -3, 0), 1);
    // Importance 3.25 against 2.25: the index stays, its value is the new one.
    assertThat(next.signature().indices()).isEqualTo(Ints.of(0));
    assertThat(next.signature().values()).isEqualTo(Floats.of(1));
  }

  @Test
  void aDeltaIsTakenToTheCommonStart() {
    SignatureRule delta = rule(SignatureRule.Subject.DELTA, 0, 3, 0.8, 0, 0.05, 1);
    assertThat(delta.subject(weights(5, 1), weights(4, 3))).isEqualTo(weights(1, -2));
    assertThat(RULE.subject(weights(5, 1), weights(4, 3))).isEqualTo(weights(5, 1));
  }

  @Test
  void valuesFollowEveryRoundAndPlacesEveryThird() {
    SignatureState state = SignatureState.first(RULE, weights(9, 1, 0), 1);
    state = state.next(RULE, weights(8, 1, 0), 1);
    assertThat(state.signature().values()).isEqualTo(Floats.of(8));
    assertThat(state.age()).isEqualTo(1);
    state = state.next(RULE, weights(6, 5, 0), 1);
    assertThat(state.age()).isEqualTo(2);
    state = state.next(RULE, weights(5, 6, 0), 1);
    assertThat(state.signature().indices()).isEqualTo(Ints.of(1));
    assertThat(state.age()).isZero();
  }

  @Test
  void theGuardChoosesPlacesBeforeTheirTime() {
    SignatureState state = SignatureState.first(RULE, weights(9, 1, 0), 1);
    // 10 / sqrt(100 + 64) = 0.781 is above 0.75, 9 / sqrt(81 + 100) = 0.669 below.
    SignatureState kept = state.next(RULE, weights(10, 8, 0), 1);
    assertThat(kept.age()).isEqualTo(1);
    SignatureState fired = state.next(RULE, weights(9, 10, 0), 1);
    assertThat(fired.age()).isZero();
    assertThat(fired.signature().indices()).isEqualTo(Ints.of(1));
  }

  @Test
  void anotherNumberOfEntriesChoosesAnew() {
    SignatureState state = SignatureState.first(RULE, weights(9, 3, 2), 1);
    assertThat(state.next(RULE, weights(9, 3, 2), 2).signature().indices())
        .isEqualTo(Ints.of(0, 1));
    SignatureState all = SignatureState.first(RULE, weights(9, 3, 2), 50);
    assertThat(all.signature().size()).isEqualTo(3);
    assertThat(all.next(RULE, weights(9, 3, 2), 50).age()).isEqualTo(1);
  }

  @Test
  void retentionIsTheCosineToTheMaskedVector() {
    assertThat(SignatureState.retention(weights(3, 4, 12), Ints.of(0, 1)))
        .isEqualTo(5.0 / 13, within(1e-7));
    assertThat(SignatureState.retention(weights(0, 0), Ints.of(0))).isEqualTo(1);
  }
}
