package io.kindred.methods.hfl.formation;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.methods.hfl.formation.SwapCriteria.PairMetrics;
import io.kindred.methods.hfl.formation.SwapCriteria.Solution;
import org.junit.jupiter.api.Test;

class SwapCriteriaTest {
  /** Angles 1 and 1, times 10 and 10. */
  private static final PairMetrics BEFORE = new PairMetrics(1, 10, 1, 10);

  private static boolean allows(Solution solution, double z, PairMetrics after) {
    return new SwapCriteria(solution, z).allows(BEFORE, after);
  }

  @Test
  void lossHasToBeMadeUpForZTimes() {
    // Times get worse by a tenth: with z = 2 the angles have to fall to 0.8 of what they were.
    assertThat(allows(Solution.PAIR, 2, new PairMetrics(0.79, 11, 0.8, 11))).isTrue();
    assertThat(allows(Solution.PAIR, 2, new PairMetrics(0.81, 11, 0.8, 11))).isFalse();
    // And the other way round.
    assertThat(allows(Solution.PAIR, 2, new PairMetrics(1.1, 7.9, 1.1, 8))).isTrue();
    assertThat(allows(Solution.PAIR, 2, new PairMetrics(1.1, 8.1, 1.1, 8))).isFalse();
  }

  @Test
  void withoutLossSomethingHasToGain() {
    for (Solution solution : Solution.values()) {
      assertThat(allows(solution, 1.05, BEFORE)).as("%s", solution).isFalse();
    }
    assertThat(allows(Solution.PAIR, 1.05, new PairMetrics(1, 9, 1, 10))).isTrue();
    assertThat(allows(Solution.PAIR, 1.05, new PairMetrics(1, 10, 0.9, 10))).isTrue();
  }

  @Test
  void pairsMayGiveAndTakeBetweenClustersButIndividualsMayNot() {
    PairMetrics shifted = new PairMetrics(1.3, 10, 0.5, 10);

    assertThat(allows(Solution.PAIR, 1.05, shifted)).isTrue();
    assertThat(allows(Solution.INDIVIDUAL, 1.05, shifted)).isFalse();
    assertThat(allows(Solution.INDIVIDUAL, 1.05, new PairMetrics(0.9, 10, 1, 10))).isTrue();
  }

  @Test
  void ratiosFallWithLongerTimes() {
    // Angles as they were, times twice as long: the ratio halves, so solution 2 accepts the change.
    PairMetrics slower = new PairMetrics(1, 20, 1, 20);

    assertThat(allows(Solution.ANGLE_RATIO, 1.05, slower)).isTrue();
    assertThat(allows(Solution.PAIR, 1.05, slower)).isFalse();
    assertThat(allows(Solution.TIME_RATIO, 1.8, slower)).isFalse();
  }

  @Test
  void unreachableMembersAreNoImprovement() {
    PairMetrics better = new PairMetrics(0.1, Double.POSITIVE_INFINITY, 0.1, 1);

    for (Solution solution : Solution.values()) {
      assertThat(allows(solution, 1.05, better)).as("%s", solution).isFalse();
    }
  }

  @Test
  void printedTradeOffs() {
    assertThat(Solution.PAIR.paperZ()).isEqualTo(1.05);
    assertThat(Solution.TIME_RATIO.paperZ()).isEqualTo(1.8);
  }

  @Test
  void nothingMakesUpForLeavingAPerfectAngle() {
    SwapCriteria swapCriteria = new SwapCriteria(Solution.PAIR, 1.05);
    PairMetrics perfect = new PairMetrics(0, 10, 0, 10);

    assertThat(swapCriteria.allows(perfect, new PairMetrics(0.1, 1, 0, 1))).isFalse();
    assertThat(swapCriteria.allows(perfect, new PairMetrics(0, 9, 0, 10))).isTrue();
  }
}
