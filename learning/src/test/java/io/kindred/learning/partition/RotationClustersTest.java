package io.kindred.learning.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.random.RandomStream;
import io.kindred.core.settings.Complaint;
import io.kindred.core.weights.Ints;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RotationClustersTest {
  private static final List<Integer> ALL = List.of(0, 90, 180, 270);

  private static int clusterOf(Division division, int peer) {
    Ints counts = division.variation().orElseThrow().clustersOf(division.shares().get(peer));
    int[] present =
        IntStream.range(0, counts.size()).filter(cluster -> counts.get(cluster) > 0).toArray();
    assertThat(present).hasSize(1);
    return present[0];
  }

  private static void check(boolean augment) {
    for (long seed = 0; seed < 1000; seed++) {
      RandomStream random = Facts.random(seed);
      int peers = 4 + random.nextInt(20);
      Stock stock = new Stock(Facts.balanced(120, 3), 3);
      Division division =
          new RotationClusters(ALL, new Iid(), augment).divide(stock, peers, random);
      Variation variation = division.variation().orElseThrow();
      int[] members = new int[4];
      for (int peer = 0; peer < peers; peer++) {
        int cluster = clusterOf(division, peer);
        members[cluster]++;
        assertThat(variation.testTurns().get(peer)).isEqualTo(Ints.of(cluster));
        int[] turns =
            Arrays.stream(division.shares().get(peer).copy()).map(variation.turns()::get).toArray();
        assertThat(turns).containsOnly(cluster);
      }
      Arrays.sort(members);
      assertThat(members[3] - members[0]).as("seed %d", seed).isLessThan(2);
    }
  }

  @Test
  void peersOfAClusterSeeOneAngle() {
    check(false);
  }

  @Test
  void augmentedClustersToo() {
    check(true);
  }

  @Test
  void eachAugmentedClusterHoldsEverySampleOnce() {
    Stock stock = new Stock(Facts.balanced(120, 3), 3);
    Division division =
        new RotationClusters(List.of(0, 180), new Iid(), true).divide(stock, 6, Facts.random(1));
    Variation variation = division.variation().orElseThrow();
    int[][] held = new int[2][120];
    for (int peer = 0; peer < 6; peer++) {
      Ints share = division.shares().get(peer);
      assertThat(share.size()).isEqualTo(40);
      for (int i = 0; i < share.size(); i++) {
        held[clusterOf(division, peer)][variation.samples().get(share.get(i))]++;
      }
    }
    for (int[] once : held) {
      assertThat(once).containsOnly(1);
    }
    assertThat(variation.turns().get(239)).isEqualTo(2);
  }

  @Test
  void whatIsWrongWithinIsNamedThere() {
    Stock stock = new Stock(Facts.balanced(120, 3), 3);
    assertThatThrownBy(
            () ->
                new RotationClusters(ALL, new Dirichlet(0.1, 50), false)
                    .divide(stock, 8, Facts.random(1)))
        .isInstanceOfSatisfying(
            Complaint.class,
            complaint -> assertThat(complaint.path()).isEqualTo("partition.within.minimum"));
    assertThatThrownBy(
            () ->
                new RotationClusters(ALL, new RotationMixture(0.1, 0.9, 1), false)
                    .divide(stock, 8, Facts.random(1)))
        .isInstanceOf(Complaint.class)
        .hasMessageContaining("clusters of its own");
    assertThatThrownBy(
            () -> new RotationClusters(ALL, new Iid(), false).divide(stock, 3, Facts.random(1)))
        .isInstanceOf(Complaint.class)
        .hasMessageContaining("3 peers cannot form 4 clusters");
  }

  @Test
  void onlyDifferentQuartersAreAngles() {
    for (List<Integer> wrong : List.of(List.of(45), List.of(90, 90), List.<Integer>of())) {
      assertThatThrownBy(() -> new RotationClusters(wrong, new Iid(), false))
          .isInstanceOf(Complaint.class)
          .hasMessageContaining("not the angles");
    }
  }

  @Test
  void theTestSetGoesThroughItsTurnsClassByClass() {
    Ints labels = Ints.of(2, 0, 2, 1, 0, 2, 0);
    assertThat(Variation.testTurns(labels, Ints.of(0, 1))).isEqualTo(Ints.of(0, 0, 1, 0, 1, 0, 0));
    assertThat(Variation.testTurns(labels, Ints.of(3))).isEqualTo(Ints.of(3, 3, 3, 3, 3, 3, 3));
  }
}
