package io.kindred.methods.hierarchy.forming;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.methods.hierarchy.forming.Criteria.Figures;
import io.kindred.methods.hierarchy.forming.Criteria.Solution;
import org.junit.jupiter.api.Test;

class CriteriaTest {
  /** Angles 1 and 1, times 10 and 10. */
  private static final Figures BEFORE = new Figures(1, 10, 1, 10);

  private static boolean allows(Solution solution, double z, Figures after) {
    return new Criteria(solution, z).allows(BEFORE, after);
  }

  @Test
  void lossHasToBeMadeUpForZTimes() {
    // Times get worse by a tenth: with z = 2 the angles have to fall to 0.8 of what they were.
    assertThat(allows(Solution.PAIR, 2, new Figures(0.79, 11, 0.8, 11))).isTrue();
    assertThat(allows(Solution.PAIR, 2, new Figures(0.81, 11, 0.8, 11))).isFalse();
    // And the other way round.
    assertThat(allows(Solution.PAIR, 2, new Figures(1.1, 7.9, 1.1, 8))).isTrue();
    assertThat(allows(Solution.PAIR, 2, new Figures(1.1, 8.1, 1.1, 8))).isFalse();
  }

  @Test
  void withoutLossSomethingHasToGain() {
    for (Solution solution : Solution.values()) {
      assertThat(allows(solution, 1.05, BEFORE)).as("%s", solution).isFalse();
    }
    assertThat(allows(Solution.PAIR, 1.05, new Figures(1, 9, 1, 10))).isTrue();
    assertThat(allows(Solution.PAIR, 1.05, new Figures(1, 10, 0.9, 10))).isTrue();
  }

  @Test
  void pairsMayGiveAndTakeBetweenClustersButIndividualsMayNot() {
    Figures shifted = new Figures(1.3, 10, 0.5, 10);

    assertThat(allows(Solution.PAIR, 1.05, shifted)).isTrue();
    assertThat(allows(Solution.INDIVIDUAL, 1.05, shifted)).isFalse();
    assertThat(allows(Solution.INDIVIDUAL, 1.05, new Figures(0.9, 10, 1, 10))).isTrue();
  }

  @Test
  void ratiosFallWithLongerTimes() {
    // Angles as they were, times twice as long: the ratio halves, so solution 2 is content.
    Figures slower = new Figures(1, 20, 1, 20);

    assertThat(allows(Solution.ANGLE_RATIO, 1.05, slower)).isTrue();
    assertThat(allows(Solution.PAIR, 1.05, slower)).isFalse();
    assertThat(allows(Solution.TIME_RATIO, 1.8, slower)).isFalse();
  }

  @Test
  void unreachableMembersAreNoImprovement() {
    Figures better = new Figures(0.1, Double.POSITIVE_INFINITY, 0.1, 1);

    for (Solution solution : Solution.values()) {
      assertThat(allows(solution, 1.05, better)).as("%s", solution).isFalse();
    }
  }

  @Test
  void printedTradeOffs() {
    assertThat(Solution.PAIR.printedZ()).isEqualTo(1.05);
    assertThat(Solution.TIME_RATIO.printedZ()).isEqualTo(1.8);
  }

  @Test
  void nothingMakesUpForLeavingAPerfectAngle() {
    Criteria criteria = new Criteria(Solution.PAIR, 1.05);
    Figures perfect = new Figures(0, 10, 0, 10);

    assertThat(criteria.allows(perfect, new Figures(0.1, 1, 0, 1))).isFalse();
    assertThat(criteria.allows(perfect, new Figures(0, 9, 0, 10))).isTrue();
  }
}
