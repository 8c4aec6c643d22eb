package io.kindred.methods.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.signature.Precision;
import io.kindred.protocol.signature.SignatureRule;
import io.kindred.protocol.signature.SignatureState;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ComputeSignatureTest {
  private static Weights weights(float... values) {
    return Weights.copyOf(Layout.builder().add("all", values.length).build(), values);
  }

  private static SignatureRule smoothing(double smoothing) {
    return new SignatureRule(
        SignatureRule.Subject.WEIGHTS, smoothing, 1, 0.8, 0, 0.05, 1, 0.9, 1, Precision.FLOAT32);
  }

  private static ComputeSignature.ComputedSignature sign(
      SignatureRule rule, Weights weights, Optional<SignatureState> previous, int lastRequired) {
    return (ComputeSignature.ComputedSignature)
        new ComputeSignature(
                rule,
                0,
                weights,
                weights(0, 0, 0),
                previous,
                previous.map(each -> each.signature().size()),
                lastRequired)
            .apply();
  }

  /** Signs (-4, 2, 0), then (1, -3, 0); the result of the second round. */
  private static ComputeSignature.ComputedSignature twoRounds(double smoothing) {
    SignatureRule rule = smoothing(smoothing);
    ComputeSignature.ComputedSignature first = sign(rule, weights(-4, 2, 0), Optional.empty(), -1);
    assertThat(first.requiredEntries()).as("16 of 20 is above 0.64").isEqualTo(1);
    return sign(rule, weights(1, -3, 0), Optional.of(first.state()), first.requiredEntries());
  }

  /**
   * Smoothed importance of the second round: 0.75 * 4 + 0.25 * 1 = 3.25 and 0.75 * 2 + 0.25 * 3 =
   * 2.25. In that order the squares are 1 and 9, and 0.64 of their sum needs both entries.
   */
  @Test
  void theRequiredEntriesFollowTheSmoothedImportance() {
    ComputeSignature.ComputedSignature second = twoRounds(0.75);
    assertThat(second.state().signature().indices()).isEqualTo(Ints.of(0));
    assertThat(second.requiredEntries()).isEqualTo(2);
  }

  /** Without smoothing the order is that of the magnitudes, and the larger entry is sufficient. */
  @Test
  void withoutSmoothingTheRequiredEntriesFollowTheMagnitudes() {
    ComputeSignature.ComputedSignature second = twoRounds(0);
    assertThat(second.state().signature().indices()).isEqualTo(Ints.of(1));
    assertThat(second.requiredEntries()).isEqualTo(1);
  }
}
