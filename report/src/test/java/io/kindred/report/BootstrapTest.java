package io.kindred.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.report.table.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BootstrapTest {
  private static double[] drawn(SplittableRandom random, int count, double mean, double std) {
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] = mean + std * random.nextGaussian();
    }
    return values;
  }

  private static List<double[]> seeds(long seed, int seeds, double mean, double between) {
    SplittableRandom random = new SplittableRandom(seed);
    List<double[]> bySeed = new ArrayList<>();
    for (int i = 0; i < seeds; i++) {
      bySeed.add(drawn(random, 40, mean + between * random.nextGaussian(), 0.1));
    }
    return bySeed;
  }

  /** With one seed it is the textbook interval, mean plus and minus 1.96 standard errors. */
  @Test
  void anIntervalOverPeersIsAsWideAsTheStandardErrorSays() {
    double[] values = drawn(new SplittableRandom(3), 400, 0.05, 0.1);
    Spread spread = Spread.overSeeds(values);
    double half = 1.96 * spread.std() / Math.sqrt(values.length);

    Bootstrap.Interval interval = Bootstrap.interval(List.of(values));

    assertThat(interval.low()).isCloseTo(spread.mean() - half, within(0.1 * half));
    assertThat(interval.high()).isCloseTo(spread.mean() + half, within(0.1 * half));
  }

  /**
   * Pooling the same values without their seeds would make a difference between seeds look certain.
   */
  @Test
  void seedsThatDisagreeMakeTheIntervalWide() {
    List<double[]> bySeed = List.of(filled(-0.1), filled(0.0), filled(0.16));
    double[] pooled = bySeed.stream().flatMapToDouble(Arrays::stream).toArray();

    assertThat(Bootstrap.interval(bySeed).containsZero()).isTrue();
    assertThat(Bootstrap.interval(List.of(pooled)).containsZero()).isFalse();
  }

  private static double[] filled(double value) {
    double[] values = new double[100];
    Arrays.fill(values, value);
    return values;
  }

  /**
   * Seed means 0.02 and 0.06 have the variance 0.0008; the peers of each seed have the variance
   * 0.0008, so a seed's mean has 0.0004. (0.0008 + 0.0004) / 2 seeds = 0.0006.
   */
  @Test
  void theStandardErrorIsTheOneComputedByHand() {
    List<double[]> bySeed = List.of(new double[] {0, 0.04}, new double[] {0.04, 0.08});
    assertThat(Bootstrap.standardError(bySeed)).isCloseTo(Math.sqrt(0.0006), within(1e-12));
    // One seed: deviation 0.02 over 4 peers.
    double[] peers = {0.01, 0.03, 0.05, 0.03};
    double deviation = Math.sqrt((0.0004 + 0.0004) / 3);
    assertThat(Bootstrap.standardError(List.of(peers))).isCloseTo(deviation / 2, within(1e-12));
    assertThat(Bootstrap.standardError(List.of(new double[] {0.01}))).isNaN();
    // One peer under three seeds: only seeds vary.
    List<double[]> onePeer = List.of(new double[] {0.01}, new double[] {0.03}, new double[] {0.05});
    assertThat(Bootstrap.standardError(onePeer)).isCloseTo(0.02 / Math.sqrt(3), within(1e-12));
  }

  /** Resampling many seeds and peers with another generator leaves n - 1 without weight. */
  @Test
  void theStandardErrorIsTheDeviationOfResampledMeans() {
    List<double[]> bySeed = seeds(5, 30, 0.01, 0.02);
    Random random = new Random(8);
    double[] means = new double[4000];
    for (int i = 0; i < means.length; i++) {
      double sum = 0;
      for (int seed = 0; seed < bySeed.size(); seed++) {
        double[] drawn = bySeed.get(random.nextInt(bySeed.size()));
        sum += random.ints(drawn.length, 0, drawn.length).mapToDouble(j -> drawn[j]).sum() / 40;
      }
      means[i] = sum / bySeed.size();
    }
    double deviation = Spread.overSeeds(means).std();
    assertThat(Bootstrap.standardError(bySeed)).isCloseTo(deviation, within(0.05 * deviation));
  }

  /** A planted difference of two points, in designs that should detect just two points. */
  @ParameterizedTest
  @CsvSource({"1, 100, 0, 0.0714", "12, 10, 0.0241, 0.0153"})
  void aDifferenceOfDetectableSizeIsFoundInFourOfFiveRuns(
      int seeds, int peers, double between, double within) {
    SplittableRandom random = new SplittableRandom(17);
    int runs = 300;
    int found = 0;
    int falseAlarms = 0;
    double detectable = 0;
    for (int run = 0; run < runs; run++) {
      List<double[]> differences = new ArrayList<>();
      for (int seed = 0; seed < seeds; seed++) {
        differences.add(drawn(random, peers, 0.02 + between * random.nextGaussian(), within));
      }
      detectable += PairedDifference.detectable(Bootstrap.standardError(differences)) / runs;
      found += Bootstrap.interval(differences).containsZero() ? 0 : 1;
      differences.forEach(values -> Arrays.setAll(values, i -> values[i] - 0.02));
      falseAlarms += Bootstrap.interval(differences).containsZero() ? 0 : 1;
    }
    assertThat(detectable).isCloseTo(0.02, within(0.0015));
    assertThat(found / (double) runs).isBetween(0.73, 0.87);
    assertThat(falseAlarms / (double) runs).isLessThan(0.12);
  }

  @Test
  void equalMethodsAreMostlyCalledLevelAndDifferentOnesRarely() {
    int tied = 0;
    int distinguished = 0;
    for (int seed = 0; seed < 100; seed++) {
      tied += Bootstrap.interval(seeds(seed, 8, 0, 0.02)).containsZero() ? 1 : 0;
      distinguished += Bootstrap.interval(seeds(seed, 8, 0.06, 0.02)).containsZero() ? 0 : 1;
    }
    assertThat(tied).isGreaterThan(85);
    assertThat(distinguished).isGreaterThan(95);
  }
}
