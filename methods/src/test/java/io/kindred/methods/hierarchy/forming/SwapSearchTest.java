package io.kindred.methods.hierarchy.forming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.settings.Complaint;
import io.kindred.methods.hierarchy.forming.Criteria.Solution;
import java.util.TreeSet;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class SwapSearchTest {
  private static final int CLIENTS = 8;

  private static double cost(Situation situation, Clustering clustering, double[] unit) {
    double cost = 0;
    for (Formation.Cluster cluster : Formation.describe(situation, clustering)) {
      cost += cluster.angle() / unit[0] + cluster.seconds() / unit[1];
    }
    return cost;
  }

  /** Angle and time of random clusters, so that both count the same. */
  private static double[] unit(Situation situation, Clustering clustering) {
    double angle = 0;
    double time = 0;
    for (Formation.Cluster cluster : Formation.describe(situation, clustering)) {
      angle += cluster.angle();
      time += cluster.seconds();
    }
    return new double[] {angle, time};
  }

  private static double best(Situation situation, Grouping rule, double[] unit) {
    double best = Double.POSITIVE_INFINITY;
    for (int bits = 0; bits < 1 << (CLIENTS - 1); bits++) {
      int[] of = new int[CLIENTS];
      for (int i = 0; i < CLIENTS; i++) {
        of[i] = bits >> i & 1;
      }
      Clustering clustering = new Clustering(of, 2);
      if (clustering.within(rule.least(), rule.most(CLIENTS))) {
        best = Math.min(best, cost(situation, clustering, unit));
      }
    }
    return best;
  }

  /** The sum of relative angle and time against the best of all clusterings into two. */
  @Test
  void comesNearTheBestOfAllClusteringsOfEightClientsIntoTwo() {
    Grouping rule = Situations.rule(2, 3, 5, Solution.PAIR, 80);
    double before = 0;
    double after = 0;
    int optimal = 0;
    for (int seed = 1; seed <= 100; seed++) {
      Situation situation = Situations.drawn(CLIENTS, 6, 0, false, seed);
      Clustering start = new Starts(situation, rule).dealt(Situations.random(seed));
      double[] unit = unit(situation, start);
      double best = best(situation, rule, unit);
      SwapSearch search = SwapSearch.of(situation, start, rule, Situations.random(seed + 7));
      search.run(rule.swap().trials());
      double found = cost(situation, search.clustering(), unit);
      assertThat(search.clustering().within(3, 5)).as("seed %d", seed).isTrue();
      assertThat(found).as("seed %d", seed).isGreaterThanOrEqualTo(best - 1e-9);
      before += 2 / best;
      after += found / best;
      optimal += found <= best + 1e-9 ? 1 : 0;
    }
    // Measured: 1.342 times the optimum at the start, 1.023 times after the search, 63 of 100 at
    // it.
    assertThat(before / 100).isGreaterThan(1.3);
    assertThat(after / 100).isLessThan(1.03);
    assertThat(optimal).isGreaterThanOrEqualTo(60);
  }

  @Test
  void neverMakesAChangeThatItsCriteriaRefuse() {
    for (Solution solution : Solution.values()) {
      for (int seed = 1; seed <= 10; seed++) {
        Situation situation = Situations.drawn(20, 5, 0.15, false, seed);
        Grouping rule = Situations.rule(4, 3, 8, solution, 0);
        Clustering start =
            new Starts(situation, rule)
                .reachable(
                    new Starts(situation, rule).dealt(Situations.random(seed)),
                    Situations.random(seed));
        SwapSearch search = SwapSearch.of(situation, start, rule, Situations.random(seed + 1));
        for (int trial = 0; trial < 40; trial++) {
          Clustering before = search.clustering().copy();
          boolean changed = search.trial();
          check(situation, rule, before, search, changed);
        }
      }
    }
  }

  private static void check(
      Situation situation, Grouping rule, Clustering before, SwapSearch search, boolean changed) {
    Clustering after = search.clustering();
    assertThat(after.within(rule.least(), rule.most(after.clients()))).isTrue();
    int moved = 0;
    TreeSet<Integer> touched = new TreeSet<>();
    for (int i = 0; i < after.clients(); i++) {
      if (before.of(i) != after.of(i)) {
        moved++;
        touched.add(before.of(i));
        touched.add(after.of(i));
      }
    }
    assertThat(moved).isEqualTo(changed ? Math.max(1, Math.min(2, moved)) : 0);
    for (Formation.Cluster cluster : Formation.describe(situation, after)) {
      assertThat(cluster.missed().size()).isZero();
    }
    for (int cluster = 0; cluster < after.clusters(); cluster++) {
      assertThat(search.divergence(cluster))
          .isEqualTo(situation.divergence(after).of(cluster), within(1e-6));
    }
    if (changed) {
      int one = touched.first();
      int other = touched.last();
      assertThat(
              rule.swap()
                  .criteria()
                  .allows(
                      figures(situation, before, one, other),
                      figures(situation, after, one, other)))
          .isTrue();
    }
  }

  private static Criteria.Figures figures(
      Situation situation, Clustering clustering, int one, int other) {
    Divergence divergence = situation.divergence(clustering);
    RoundTimes times = new RoundTimes(situation, clustering);
    return new Criteria.Figures(
        divergence.of(one), times.of(one), divergence.of(other), times.of(other));
  }

  @Test
  void bestChoiceGoesDownAtLeastAsFastAsARandomOne() {
    double random = 0;
    double best = 0;
    for (int seed = 1; seed <= 20; seed++) {
      Situation situation = Situations.drawn(20, 6, 0, false, seed);
      Grouping rule = Situations.rule(4, 3, 10, Solution.PAIR, 6);
      Clustering start = new Starts(situation, rule).dealt(Situations.random(seed));
      double[] unit = unit(situation, start);
      SwapSearch one = SwapSearch.of(situation, start, rule, Situations.random(seed));
      Grouping picky =
          new Grouping(
              4,
              3,
              10,
              Grouping.Way.SWAP,
              new SwapRule(Solution.PAIR, 0, 6, SwapRule.Choice.BEST, SwapRule.Start.RANDOM),
              rule.spectral());
      SwapSearch other = SwapSearch.of(situation, start, picky, Situations.random(seed));
      one.run(6);
      other.run(6);
      random += cost(situation, one.clustering(), unit);
      best += cost(situation, other.clustering(), unit);
    }
    assertThat(best).isLessThan(random);
  }

  @Test
  void sizesStayWithinTheirBoundsWhateverTheStart() {
    for (Grouping.Way way : Grouping.Way.values()) {
      for (int seed = 1; seed <= 5; seed++) {
        boolean labels = way == Grouping.Way.LABEL_SKEW;
        Situation situation = Situations.drawn(13, 4, 0, labels, seed);
        Grouping rule = Situations.way(Situations.rule(3, 3, 6, Solution.PAIR, 30), way);
        Formation formation = Formation.of(situation, rule, Situations.random(seed));
        int members =
            formation.after().stream().mapToInt(cluster -> cluster.members().size()).sum();
        assertThat(members).as("%s", way).isEqualTo(13);
        if (way.bounded()) {
          assertThat(formation.after())
              .as("%s", way)
              .allMatch(cluster -> cluster.members().size() >= 3 && cluster.members().size() <= 6);
        }
      }
    }
  }

  @Test
  void labelSwapsLowerTheSkewAndKeepTheSizes() {
    Situation situation = Situations.drawn(14, 6, 0, true, 3);
    Grouping rule =
        Situations.way(Situations.rule(4, 3, 7, Solution.PAIR, 60), Grouping.Way.LABEL_SKEW);

    Formation formation = Formation.of(situation, rule, Situations.random(3));

    assertThat(Formation.meanAngle(formation.after()))
        .isLessThan(0.8 * Formation.meanAngle(formation.before()));
    assertThat(formation.after())
        .extracting(each -> each.members().size())
        .containsExactlyInAnyOrder(4, 4, 3, 3);
  }

  @Test
  void clientsThatCannotReachEachOtherNeverShareALinkToAHead() {
    int formed = 0;
    for (int seed = 1; seed <= 100; seed++) {
      Situation situation = Situations.drawn(12, 4, 0.3, false, seed);
      Grouping rule = Situations.rule(3, 3, 6, Solution.PAIR, 30);
      try {
        Formation formation = Formation.of(situation, rule, Situations.random(seed));
        formed++;
        for (Formation.Cluster cluster : formation.after()) {
          assertThat(cluster.missed().size()).isZero();
          for (int i = 0; i < cluster.members().size(); i++) {
            assertThat(situation.reach(cluster.members().get(i), cluster.head())).isTrue();
          }
        }
      } catch (NoClusteringException none) {
        assertThat(exists(situation, rule)).as("seed %d", seed).isFalse();
      }
    }
    assertThat(formed).isGreaterThan(50);
  }

  /** Whether there is any clustering with heads, by trying all of them. */
  private static boolean exists(Situation situation, Grouping rule) {
    int clients = situation.clients();
    int[] of = new int[clients];
    while (true) {
      Clustering clustering = new Clustering(of, rule.count());
      if (clustering.within(rule.least(), rule.most(clients))) {
        RoundTimes times = new RoundTimes(situation, clustering);
        boolean all = true;
        for (int cluster = 0; cluster < rule.count(); cluster++) {
          all &= times.of(cluster) < Double.POSITIVE_INFINITY;
        }
        if (all) {
          return true;
        }
      }
      int place = 0;
      while (place < clients && ++of[place] == rule.count()) {
        of[place++] = 0;
      }
      if (place == clients) {
        return false;
      }
    }
  }

  @Test
  void sayThatThereIsNoClusteringWhereThereIsNone() {
    // Two halves that do not reach each other, of five and three: no two clusters of four each.
    Situation situation = Situations.drawn(8, 3, 0, false, 1);
    for (int i = 0; i < 5; i++) {
      for (int j = 5; j < 8; j++) {
        situation.sending()[i][j] = Float.POSITIVE_INFINITY;
        situation.sending()[j][i] = Float.POSITIVE_INFINITY;
      }
    }

    Assertions.assertThatThrownBy(
            () ->
                Formation.of(
                    situation, Situations.rule(2, 4, 4, Solution.PAIR, 10), Situations.random(1)))
        .isInstanceOf(NoClusteringException.class)
        .hasMessage(
            "no clustering of 8 clients into 2 clusters of 4 to 4 in which a head reaches every"
                + " member");
    assertThat(
            Formation.of(
                    situation, Situations.rule(2, 3, 5, Solution.PAIR, 10), Situations.random(1))
                .after())
        .extracting(each -> each.members().size())
        .containsExactlyInAnyOrder(5, 3);
  }

  @Test
  void benchmarksThatIgnoreLinksLeaveOutWhomTheirHeadCannotReach() {
    Situation situation = Situations.drawn(12, 4, 0.4, false, 5);
    Grouping rule = Situations.way(Situations.rule(2, 3, 6, Solution.PAIR, 0), Grouping.Way.RANDOM);

    Formation formation = Formation.of(situation, rule, Situations.random(5));

    int missed = 0;
    for (Formation.Cluster cluster : formation.after()) {
      missed += cluster.missed().size();
      assertThat(cluster.seconds()).isFinite();
      for (int i = 0; i < cluster.missed().size(); i++) {
        assertThat(situation.reach(cluster.missed().get(i), cluster.head())).isFalse();
      }
    }
    assertThat(missed).isPositive();
  }

  @Test
  void impossibleSizesAreRefusedWithARemedy() {
    Assertions.assertThatThrownBy(() -> Situations.rule(4, 3, 0, Solution.PAIR, 1).check(11))
        .isInstanceOf(Complaint.class)
        .hasMessage("4 clusters of at least 3 need 12 clients, but there are 11");
    Assertions.assertThatThrownBy(() -> Situations.rule(2, 3, 4, Solution.PAIR, 1).check(9))
        .isInstanceOf(Complaint.class)
        .hasMessage("2 clusters of at most 4 hold only 8 of 9 clients");
    Situations.rule(4, 3, 0, Solution.PAIR, 1).check(12);
  }
}
