package io.kindred.learning.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import java.util.List;
import org.junit.jupiter.api.Test;

class DirichletTest {
  private static final double[] ALPHAS = {1e-300, 0.001, 0.05, 0.5, 1, 100, 1e6};

  @Test
  void handsEverySampleOutOnceAndMeetsTheMinimum() {
    for (long seed = 0; seed < 200; seed++) {
      RandomStream random = PartitionAssertions.random(seed);
      int peers = 1 + random.nextInt(40);
      int minimum = 1 + random.nextInt(12);
      int samples = peers * minimum + random.nextInt(400);
      int classes = 1 + random.nextInt(12);
      Ints labels = PartitionAssertions.unbalanced(samples, classes, random);
      double alpha = ALPHAS[random.nextInt(ALPHAS.length)];
      List<Ints> shares = new Dirichlet(alpha, minimum).assign(labels, classes, peers, random);
      assertThat(shares).as("seed %d", seed).hasSize(peers);
      PartitionAssertions.assertTotal(shares, samples, seed);
      assertThat(PartitionAssertions.smallest(shares))
          .as("seed %d", seed)
          .isGreaterThanOrEqualTo(minimum);
    }
  }

  @Test
  void endsForManyPeersHoweverSmallAlphaIs() {
    Ints labels = PartitionAssertions.balanced(6000, 10);
    for (double alpha : new double[] {Double.MIN_VALUE, 0.001, 0.05}) {
      List<Ints> shares =
          new Dirichlet(alpha, 10).assign(labels, 10, 400, PartitionAssertions.random(3));
      PartitionAssertions.assertTotal(shares, 6000, 3);
      assertThat(PartitionAssertions.smallest(shares))
          .as("alpha %s", alpha)
          .isGreaterThanOrEqualTo(10);
    }
  }

  @Test
  void meetsTheTightestMinimumThereIs() {
    Ints labels = PartitionAssertions.balanced(4000, 10);
    List<Ints> shares =
        new Dirichlet(0.01, 10).assign(labels, 10, 400, PartitionAssertions.random(4));
    PartitionAssertions.assertTotal(shares, 4000, 4);
    assertThat(PartitionAssertions.largest(shares)).isEqualTo(10);
  }

  @Test
  void smallerAlphaMeansMoreSkew() {
    Ints labels = PartitionAssertions.balanced(6000, 10);
    for (long seed = 0; seed < 20; seed++) {
      double previous = 1;
      for (double alpha : new double[] {0.05, 0.3, 2, 100}) {
        List<Ints> shares =
            new Dirichlet(alpha, 10).assign(labels, 10, 30, PartitionAssertions.random(seed));
        double skew = PartitionAssertions.skew(shares, labels, 10);
        assertThat(skew).as("seed %d, alpha %s", seed, alpha).isLessThan(previous);
        previous = skew;
      }
      assertThat(previous).as("seed %d", seed).isLessThan(0.2);
    }
  }

  @Test
  void fillingUpKeepsTheSkew() {
    Ints labels = PartitionAssertions.balanced(6000, 10);
    List<Ints> shares =
        new Dirichlet(0.001, 10).assign(labels, 10, 400, PartitionAssertions.random(3));
    assertThat(PartitionAssertions.skew(shares, labels, 10)).isGreaterThan(0.6);
  }

  @Test
  void sameStreamGivesSameShares() {
    Ints labels = PartitionAssertions.balanced(600, 10);
    Dirichlet dirichlet = new Dirichlet(0.1, 10);
    List<Ints> first = dirichlet.assign(labels, 10, 20, PartitionAssertions.random(5));
    assertThat(dirichlet.assign(labels, 10, 20, PartitionAssertions.random(5))).isEqualTo(first);
    assertThat(dirichlet.assign(labels, 10, 20, PartitionAssertions.random(6))).isNotEqualTo(first);
  }

  @Test
  void complainsOfAMinimumThatCannotBeMet() {
    SettingException invalid = complaint(new Dirichlet(0.5, 10), 8);
    assertThat(invalid.path()).isEqualTo("partition.minimum");
    assertThat(invalid.problem())
        .isEqualTo("8 peers cannot hold 10 samples each when there are only 60");
    assertThat(invalid.remedy())
        .isEqualTo("set the minimum to 7 or less, or use fewer peers or more samples");
  }

  @Test
  void complainsOfMorePeersThanSamples() {
    assertThat(complaint(new Dirichlet(0.5, 10), 61).path()).isEqualTo("peers");
  }

  @Test
  void complainsOfAnImpossibleAlpha() {
    for (double alpha : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      SettingException invalid = complaint(new Dirichlet(alpha, 1), 3);
      assertThat(invalid.path()).as("alpha %s", alpha).isEqualTo("partition.alpha");
      assertThat(invalid.remedy()).isEqualTo("choose a number above 0 and at most 1000000");
    }
  }

  private static SettingException complaint(Dirichlet dirichlet, int peers) {
    return catchThrowableOfType(
        SettingException.class,
        () ->
            dirichlet.assign(
                PartitionAssertions.balanced(60, 3), 3, peers, PartitionAssertions.random(1)));
  }
}
