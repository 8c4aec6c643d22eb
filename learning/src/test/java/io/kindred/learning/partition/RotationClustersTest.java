package io.kindred.learning.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RotationClustersTest {
  private static final List<Integer> ALL = List.of(0, 90, 180, 270);

  private static int clusterOf(PartitionResult result, int peer) {
    Ints counts = result.transformation().orElseThrow().countByCluster(result.shares().get(peer));
    int[] present =
        IntStream.range(0, counts.size()).filter(cluster -> counts.get(cluster) > 0).toArray();
    assertThat(present).hasSize(1);
    return present[0];
  }

  private static void check(boolean augment) {
    for (long seed = 0; seed < 1000; seed++) {
      RandomStream random = PartitionAssertions.random(seed);
      int peers = 4 + random.nextInt(20);
      SamplePool pool = new SamplePool(PartitionAssertions.balanced(120, 3), 3);
      PartitionResult result =
          new RotationClusters(ALL, new Iid(), augment).divide(pool, peers, random);
      SampleTransformation transformation = result.transformation().orElseThrow();
      int[] members = new int[4];
      for (int peer = 0; peer < peers; peer++) {
        int cluster = clusterOf(result, peer);
        members[cluster]++;
        assertThat(transformation.testQuarterTurns().get(peer)).isEqualTo(Ints.of(cluster));
        int[] turns =
            Arrays.stream(result.shares().get(peer).copy())
                .map(transformation.quarterTurns()::get)
                .toArray();
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
    SamplePool pool = new SamplePool(PartitionAssertions.balanced(120, 3), 3);
    PartitionResult result =
        new RotationClusters(List.of(0, 180), new Iid(), true)
            .divide(pool, 6, PartitionAssertions.random(1));
    SampleTransformation transformation = result.transformation().orElseThrow();
    int[][] held = new int[2][120];
    for (int peer = 0; peer < 6; peer++) {
      Ints share = result.shares().get(peer);
      assertThat(share.size()).isEqualTo(40);
      for (int i = 0; i < share.size(); i++) {
        held[clusterOf(result, peer)][transformation.samples().get(share.get(i))]++;
      }
    }
    for (int[] once : held) {
      assertThat(once).containsOnly(1);
    }
    assertThat(transformation.quarterTurns().get(239)).isEqualTo(2);
  }

  @Test
  void whatIsWrongWithinIsNamedThere() {
    SamplePool pool = new SamplePool(PartitionAssertions.balanced(120, 3), 3);
    assertThatThrownBy(
            () ->
                new RotationClusters(ALL, new Dirichlet(0.1, 50), false)
                    .divide(pool, 8, PartitionAssertions.random(1)))
        .isInstanceOfSatisfying(
            SettingException.class,
            invalid -> assertThat(invalid.path()).isEqualTo("partition.within.minimum"));
    assertThatThrownBy(
            () ->
                new RotationClusters(ALL, new RotationMixture(0.1, 0.9, 1), false)
                    .divide(pool, 8, PartitionAssertions.random(1)))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("has its own clusters");
    assertThatThrownBy(
            () ->
                new RotationClusters(ALL, new Iid(), false)
                    .divide(pool, 3, PartitionAssertions.random(1)))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("3 peers cannot form 4 clusters");
  }

  @Test
  void onlyDifferentQuartersAreAngles() {
    for (List<Integer> wrong : List.of(List.of(45), List.of(90, 90), List.<Integer>of())) {
      assertThatThrownBy(() -> new RotationClusters(wrong, new Iid(), false))
          .isInstanceOf(SettingException.class)
          .hasMessageContaining("not a list of different angles");
    }
  }

  @Test
  void theTestSetGoesThroughItsTurnsClassByClass() {
    Ints labels = Ints.of(2, 0, 2, 1, 0, 2, 0);
    assertThat(SampleTransformation.testQuarterTurns(labels, Ints.of(0, 1)))
        .isEqualTo(Ints.of(0, 0, 1, 0, 1, 0, 0));
    assertThat(SampleTransformation.testQuarterTurns(labels, Ints.of(3)))
        .isEqualTo(Ints.of(3, 3, 3, 3, 3, 3, 3));
  }
}
