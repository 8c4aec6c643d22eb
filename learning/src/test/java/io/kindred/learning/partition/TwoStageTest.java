package io.kindred.learning.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TwoStageTest {
  private static double deviation(List<Ints> shares) {
    double[] sizes = shares.stream().mapToDouble(Ints::size).toArray();
    double mean = Arrays.stream(sizes).average().orElseThrow();
    return Math.sqrt(
        Arrays.stream(sizes).map(size -> (size - mean) * (size - mean)).average().orElseThrow());
  }

  /** Table 3 and the last rows of table 9: CIFAR-10, 50,000 images, 20 devices. */
  @ParameterizedTest
  @CsvSource({"750, 4", "750, 7", "1250, 4", "1250, 7", "1600, 2"})
  void theSettingsOfThePaperAreMet(double sigma, int classes) {
    Ints labels = PartitionAssertions.balanced(50_000, 10);
    for (long seed = 0; seed < 5; seed++) {
      List<Ints> shares =
          new TwoStage(sigma, classes, 10, 50_000)
              .assign(labels, 10, 20, PartitionAssertions.random(seed));
      PartitionAssertions.assertTotal(shares, 50_000, seed);
      assertThat(deviation(shares)).as("seed %d", seed).isCloseTo(sigma, within(0.5));
      for (Ints share : shares) {
        assertThat(PartitionAssertions.classesSeen(share, labels, 10))
            .as("seed %d", seed)
            .isEqualTo(classes);
      }
    }
  }

  @Test
  void deviationScalesWithTheSamplesThereAre() {
    Ints labels = PartitionAssertions.balanced(10_000, 10);
    List<Ints> shares =
        new TwoStage(750, 4, 10, 50_000).assign(labels, 10, 20, PartitionAssertions.random(1));
    assertThat(deviation(shares)).isCloseTo(150, within(0.5));
    shares = new TwoStage(75, 4, 10, 0).assign(labels, 10, 20, PartitionAssertions.random(1));
    assertThat(deviation(shares)).isCloseTo(75, within(0.5));
  }

  @Test
  void classAvailabilityIsExactAndDeviationIsMetOverAThousandSeeds() {
    int met = 0;
    for (long seed = 0; seed < 1000; seed++) {
      RandomStream random = PartitionAssertions.random(seed);
      int peers = 8 + random.nextInt(13);
      int perPeer = 2 + random.nextInt(5);
      Ints labels = PartitionAssertions.balanced(40 * peers, 6);
      double sigma = random.uniform(2, 12);
      List<Ints> shares = new TwoStage(sigma, perPeer, 5, 0).assign(labels, 6, peers, random);
      for (Ints share : shares) {
        assertThat(PartitionAssertions.classesSeen(share, labels, 6))
            .as("seed %d", seed)
            .isEqualTo(perPeer);
        assertThat(share.size()).as("seed %d", seed).isGreaterThanOrEqualTo(5);
      }
      met += Math.abs(deviation(shares) - sigma) < 0.3 ? 1 : 0;
    }
    assertThat(met).isGreaterThan(990);
  }

  /** The nearest sizes with a given sum above a bound, by formula: the draws cut off at a level. */
  @Test
  void sizesAreTheDrawsCutOffAtTheMinimum() {
    int[] sizes = SizesWithDeviation.draw(4000, 8, 300, 250, PartitionAssertions.random(7));
    RandomStream random = PartitionAssertions.random(7);
    double[] draws = new double[8];
    Arrays.setAll(draws, i -> random.nextGaussian());
    double low = 0;
    double high = 10_000;
    double[] expected = {};
    for (int i = 0; i < 100; i++) {
      double stretch = (low + high) / 2;
      expected = cutOff(draws, stretch);
      if (SizesWithDeviation.deviation(expected) < 250) {
        low = stretch;
      } else {
        high = stretch;
      }
    }
    for (int i = 0; i < 8; i++) {
      assertThat((double) sizes[i]).isCloseTo(expected[i], within(1.5));
    }
    assertThat(Arrays.stream(sizes).min().orElseThrow()).isEqualTo(300);
  }

  private static double[] cutOff(double[] draws, double stretch) {
    double low = -1e6;
    double high = 1e6;
    double[] cut = new double[draws.length];
    for (int i = 0; i < 200; i++) {
      double level = (low + high) / 2;
      Arrays.setAll(cut, j -> Math.max(300, level + stretch * draws[j]));
      if (Arrays.stream(cut).sum() < 4000) {
        low = level;
      } else {
        high = level;
      }
    }
    return cut;
  }

  /** Two peers, three classes: worked out by hand. */
  @Test
  void anAllotmentUsesEveryClassUp() {
    List<IndexList> holders = IndexList.emptyLists(3);
    holders.get(0).add(0);
    holders.get(1).add(0);
    holders.get(1).add(1);
    holders.get(2).add(1);
    ClassAllocation classAllocation =
        ClassAllocation.solve(new int[] {12, 18}, new int[] {10, 10, 10}, holders);
    assertThat(classAllocation.counts()).isDeepEqualTo(new int[][] {{10, 2, 0}, {0, 8, 10}});
    assertThat(classAllocation.sizeError()).isZero();
    ClassAllocation impossible =
        ClassAllocation.solve(new int[] {25, 5}, new int[] {10, 10, 10}, holders);
    assertThat(impossible.counts()).isDeepEqualTo(new int[][] {{10, 9, 0}, {0, 1, 10}});
    assertThat(impossible.sizeError()).isEqualTo(12);
    assertThat(impossible.smallestShare()).isEqualTo(11);
  }

  @Test
  void aDeviationBeyondAllThereIsIsRefused() {
    Ints labels = PartitionAssertions.balanced(100, 5);
    assertThatThrownBy(
            () -> new TwoStage(50, 2, 5, 0).assign(labels, 5, 5, PartitionAssertions.random(1)))
        .isInstanceOf(SettingException.class)
        .hasMessage("sample counts of 5 peers with a mean of 20 deviate by at most 30, not by 50");
    assertThatThrownBy(
            () -> new TwoStage(1, 2, 30, 0).assign(labels, 5, 5, PartitionAssertions.random(1)))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("cannot hold 30 samples");
    assertThatThrownBy(
            () -> new TwoStage(1, 1, 1, 0).assign(labels, 5, 3, PartitionAssertions.random(1)))
        .isInstanceOf(SettingException.class)
        .hasMessageContaining("leave some classes without a peer");
  }
}
