package io.kindred.methods.hfl.formation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.random.RandomStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class DivergenceTest {
  /** Three clients: two that compute in 2 and 3 seconds, far from one that takes 10. */
  private static FormationInput three() {
    return new FormationInput(
        new double[] {1, 3, 2},
        new double[] {2, 3, 10},
        new float[][] {{0, 4, 1}, {4, 0, 7}, {1, 7, 0}},
        new float[][] {{1, 0}, {0, 1}, {-1, 0}},
        false);
  }

  @Test
  void theHeadIsTheClientWithTheShortestLongestPath() {
    // Columns of t' + t'': head 0 waits for max(2, 3+4, 10+1) = 11, head 1 for max(2+4, 3, 10+7) =
    // 17, head 2 for max(2+1, 3+7, 10) = 10.
    List<Formation.Cluster> clusters =
        Formation.describe(three(), new ClientAssignment(new int[] {0, 0, 0}, 1));

    assertThat(clusters).hasSize(1);
    assertThat(clusters.getFirst().head()).isEqualTo(2);
    assertThat(clusters.getFirst().seconds()).isEqualTo(10);
    assertThat(clusters.getFirst().angle()).isEqualTo(0, within(1e-7));
  }

  @Test
  void angleIsTakenBetweenSumsWeightedByShares() {
    // All: (1 - 2, 3); the first two: (1, 3). cos = (-1 + 9) / 10, and (-1 * -2) / (sqrt(10) * 2).
    List<Formation.Cluster> clusters =
        Formation.describe(three(), new ClientAssignment(new int[] {0, 0, 1}, 2));

    assertThat(clusters.get(0).angle()).isEqualTo(Math.acos(0.8), within(1e-12));
    assertThat(clusters.get(1).angle()).isEqualTo(Math.acos(1 / Math.sqrt(10)), within(1e-12));
  }

  @Test
  void skewIsTheSumOfDifferencesOfProbabilities() {
    FormationInput labels =
        new FormationInput(
            new double[] {4, 4},
            new double[] {1, 1},
            new float[][] {{0, 1}, {1, 0}},
            new float[][] {{4, 0}, {1, 3}},
            true);

    List<Formation.Cluster> clusters =
        Formation.describe(labels, new ClientAssignment(new int[] {0, 1}, 2));

    // All: (5/8, 3/8); the first: (1, 0), the second: (1/4, 3/4).
    assertThat(clusters.get(0).angle()).isEqualTo(0.75, within(1e-12));
    assertThat(clusters.get(1).angle()).isEqualTo(0.75, within(1e-12));
  }

  @Test
  void clientWithoutAnyDirectionStandsAcross() {
    FormationInput still =
        new FormationInput(
            new double[] {1, 1},
            new double[] {1, 1},
            new float[][] {{0, 1}, {1, 0}},
            new float[][] {{0, 0}, {1, 0}},
            false);

    assertThat(Formation.describe(still, new ClientAssignment(new int[] {0, 1}, 2)))
        .extracting(Formation.Cluster::angle)
        .containsExactly(Math.PI / 2, 0.0);
  }

  /** The predicted divergence and time of a change equal those computed from scratch. */
  @Test
  void incrementalFiguresEqualThoseComputedAnew() {
    for (int seed = 1; seed <= 60; seed++) {
      RandomStream random = FormationInputs.random(1000 + seed);
      int clients = 5 + random.nextInt(12);
      FormationInput input =
          FormationInputs.randomInput(
              clients, 1 + random.nextInt(9), seed % 3 * 0.1, seed % 2 == 0, seed);
      int[] of = random.permutation(clients);
      for (int i = 0; i < clients; i++) {
        of[i] %= 3;
      }
      ClientAssignment assignment = new ClientAssignment(of, 3);
      Divergence divergence = input.divergence(assignment);
      RoundTimes times = new RoundTimes(input, assignment);
      for (int change = 0; change < 20; change++) {
        int one = random.nextInt(3);
        int other = (one + 1 + random.nextInt(2)) % 3;
        int leaving = pick(assignment, one, random);
        int joining = random.nextInt(3) == 0 ? -1 : pick(assignment, other, random);
        if (leaving == -1 && joining == -1) {
          continue;
        }
        times.preparePair(one, other);
        double angle = divergence.afterChange(one, leaving, joining);
        double time = times.afterChange(0, leaving, joining);
        double otherTime = times.afterChange(1, joining, leaving);
        divergence.applyChange(one, leaving, joining);
        divergence.applyChange(other, joining, leaving);
        if (leaving != -1) {
          assignment.move(leaving, other);
        }
        if (joining != -1) {
          assignment.move(joining, one);
        }
        Divergence anew = input.divergence(assignment);
        String which = "seed " + seed + ", change " + change;
        assertThat(angle).as(which).isEqualTo(anew.of(one), within(1e-6));
        for (int cluster = 0; cluster < 3; cluster++) {
          assertThat(divergence.of(cluster)).as(which).isEqualTo(anew.of(cluster), within(1e-6));
        }
        assertThat(time).as(which).isEqualTo(longest(input, assignment, one));
        assertThat(otherTime).as(which).isEqualTo(longest(input, assignment, other));
      }
    }
  }

  private static int pick(ClientAssignment assignment, int cluster, RandomStream random) {
    int[] members = assignment.members(cluster);
    return members.length == 0 ? -1 : members[random.nextInt(members.length)];
  }

  /** Equation 4, word by word. */
  private static double longest(FormationInput input, ClientAssignment assignment, int cluster) {
    double shortest = Double.POSITIVE_INFINITY;
    for (int head : assignment.members(cluster)) {
      double longest = 0;
      for (int member : assignment.members(cluster)) {
        double sending = member == head ? 0 : input.sendSeconds()[member][head];
        longest = Math.max(longest, input.computeSeconds()[member] + sending);
      }
      shortest = Math.min(shortest, longest);
    }
    return shortest;
  }
}
