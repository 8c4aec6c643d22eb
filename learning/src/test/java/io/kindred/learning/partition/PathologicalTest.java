package io.kindred.learning.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import java.util.List;
import org.junit.jupiter.api.Test;

class PathologicalTest {
  @Test
  void eachPeerSeesExactlyTheAskedNumberOfClasses() {
    for (long seed = 0; seed < 200; seed++) {
      RandomStream random = PartitionAssertions.random(seed);
      int classes = 2 + random.nextInt(15);
      int peers = 1 + random.nextInt(40);
      double fraction = random.uniform(0.01, 1);
      int asked = (int) Math.max(1, Math.round(fraction * classes));
      Ints labels = PartitionAssertions.balanced(classes * (peers + random.nextInt(20)), classes);
      List<Ints> shares = new Pathological(fraction).assign(labels, classes, peers, random);
      assertThat(shares).as("seed %d", seed).hasSize(peers);
      for (Ints share : shares) {
        assertThat(PartitionAssertions.classesSeen(share, labels, classes))
            .as("seed %d", seed)
            .isEqualTo(asked);
      }
      int expected = Math.min(classes, peers * asked) * (labels.size() / classes);
      assertThat(PartitionAssertions.assertDisjoint(shares, labels.size(), seed))
          .as("seed %d: all samples of all classes that can be held", seed)
          .isEqualTo(expected);
    }
  }

  @Test
  void rareClassesAreHandedOutToo() {
    for (long seed = 0; seed < 200; seed++) {
      RandomStream random = PartitionAssertions.random(seed);
      Ints labels = PartitionAssertions.unbalanced(900, 10, random);
      int peers = 5 + random.nextInt(60);
      List<Ints> shares = new Pathological(0.2).assign(labels, 10, peers, random);
      PartitionAssertions.assertTotal(shares, 900, seed);
      for (Ints share : shares) {
        assertThat(PartitionAssertions.classesSeen(share, labels, 10))
            .as("seed %d", seed)
            .isEqualTo(2);
      }
    }
  }

  @Test
  void absentClassesCountForNoPeer() {
    Ints labels = PartitionAssertions.balanced(300, 3);
    List<Ints> shares = new Pathological(0.5).assign(labels, 10, 8, PartitionAssertions.random(1));
    PartitionAssertions.assertTotal(shares, 300, 1);
    assertThat(shares)
        .allSatisfy(
            share -> assertThat(PartitionAssertions.classesSeen(share, labels, 10)).isEqualTo(3));
  }

  @Test
  void sharesOfBalancedClassesAreNearlyEqual() {
    Ints labels = PartitionAssertions.balanced(6000, 10);
    List<Ints> shares =
        new Pathological(0.2).assign(labels, 10, 100, PartitionAssertions.random(1));
    PartitionAssertions.assertTotal(shares, 6000, 1);
    assertThat(PartitionAssertions.smallest(shares)).isEqualTo(60);
    assertThat(PartitionAssertions.largest(shares)).isEqualTo(60);
  }

  @Test
  void peersGetDifferentPairsOfClasses() {
    Ints labels = PartitionAssertions.balanced(6000, 10);
    List<Ints> shares =
        new Pathological(0.2).assign(labels, 10, 100, PartitionAssertions.random(1));
    long pairs =
        shares.stream()
            .map(share -> labels.get(share.get(0)) + 100 * partner(share, labels))
            .distinct()
            .count();
    assertThat(pairs).isGreaterThan(30);
  }

  @Test
  void sameStreamGivesSameShares() {
    Ints labels = PartitionAssertions.balanced(600, 10);
    Pathological pathological = new Pathological(0.3);
    List<Ints> first = pathological.assign(labels, 10, 20, PartitionAssertions.random(5));
    assertThat(pathological.assign(labels, 10, 20, PartitionAssertions.random(5))).isEqualTo(first);
    assertThat(pathological.assign(labels, 10, 20, PartitionAssertions.random(6)))
        .isNotEqualTo(first);
  }

  @Test
  void complainsWhenClassesHaveTooFewSamplesToGoRound() {
    SettingException invalid = complaint(new Pathological(1), 10);
    assertThat(invalid.path()).isEqualTo("partition.fraction");
    assertThat(invalid.problem())
        .isEqualTo("some classes have too few samples to give 10 peers 3 classes each");
    assertThat(invalid.remedy()).isEqualTo("use a smaller fraction, fewer peers or more samples");
  }

  @Test
  void complainsOfAnImpossibleFraction() {
    for (double fraction : new double[] {0, -0.1, 1.5, Double.NaN}) {
      SettingException invalid = complaint(new Pathological(fraction), 2);
      assertThat(invalid.path()).as("fraction %s", fraction).isEqualTo("partition.fraction");
      assertThat(invalid.remedy()).isEqualTo("choose a number above 0 and at most 1");
    }
  }

  @Test
  void complainsOfMorePeersThanSamples() {
    assertThat(complaint(new Pathological(0.5), 28).path()).isEqualTo("peers");
  }

  private static int partner(Ints share, Ints labels) {
    int first = labels.get(share.get(0));
    for (int i = 1; i < share.size(); i++) {
      if (labels.get(share.get(i)) != first) {
        return labels.get(share.get(i));
      }
    }
    return first;
  }

  private static SettingException complaint(Pathological pathological, int peers) {
    return catchThrowableOfType(
        SettingException.class,
        () ->
            pathological.assign(
                PartitionAssertions.balanced(27, 3), 3, peers, PartitionAssertions.random(1)));
  }
}
