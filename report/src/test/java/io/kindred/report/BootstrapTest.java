package io.kindred.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.report.table.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

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
