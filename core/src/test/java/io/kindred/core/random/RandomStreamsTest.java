package io.kindred.core.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.testing.Property;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RandomStreamsTest {
  private static final int DRAWS = 200_000;

  /** Five standard errors: a right generator fails one such check in two million. */
  private static final double ERRORS = 5;

  private static RandomStream stream(long counter) {
    return new RandomStreams(2026).stream(new Purpose("test"), 0, counter);
  }

  /** Checks mean and variance; the fourth central moment gives the error of the variance. */
  private static void checkMoments(
      DoubleSupplier source, double mean, double variance, double fourth) {
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < DRAWS; i++) {
      double draw = source.getAsDouble();
      sum += draw;
      squares += (draw - mean) * (draw - mean);
    }
    assertThat(sum / DRAWS).isCloseTo(mean, within(ERRORS * Math.sqrt(variance / DRAWS)));
    assertThat(squares / DRAWS)
        .isCloseTo(variance, within(ERRORS * Math.sqrt((fourth - variance * variance) / DRAWS)));
  }

  @Test
  void firstDrawsAreThoseOfXoshiro256PlusPlusSeededBySplitMix() {
    // From a separate implementation in Python.
    checkDraws(new RandomStream(0), 0x53175d61490b23dfL, 0x61da6f3dc380d507L, 0x5c0fdf91ec9a7bfcL);
    checkDraws(new RandomStream(1), 0xcfc5d07f6f03c29bL, 0xbf424132963fe08dL, 0x19a37d5757aaf520L);
    checkDraws(new RandomStream(-1), 0x56ccf8ce948e27b2L, 0xe68588432e5a5b90L, 0xe3e9b5a48119ca8bL);
    checkDraws(
        new RandomStream(0x0123456789abcdefL),
        0xb2f2a310e96bd1c5L,
        0xb54062465b950493L,
        0x87aca4a9668814b0L,
        0xf13d2e2448a9cffbL);
  }

  @Test
  void theDerivationOfAStreamFromItsKeyIsFixed() {
    checkDraws(
        new RandomStreams(42).stream(Purpose.BATCHES, 7, 3),
        0x790c4d81aab2bcf3L,
        0x0c04d5bb1c9ad707L,
        0x3a404717914d96e3L);
  }

  private static void checkDraws(RandomStream stream, long... expected) {
    for (long each : expected) {
      assertThat(stream.nextLong()).isEqualTo(each);
    }
  }

  @Test
  void theSameKeyGivesTheSameStream() {
    Property.forAll((random, size) -> random.nextLong())
        .holds(
            seed -> {
              RandomStream a = new RandomStreams(seed).stream(Purpose.DATA, 3, 4);
              RandomStream b =
                  new RandomStreams(seed).stream(new StreamKey(new Purpose("data"), 3, 4));
              for (int i = 0; i < 10; i++) {
                assertThat(a.nextLong()).isEqualTo(b.nextLong());
              }
            });
  }

  @Test
  void anyDifferenceInTheKeyGivesAnotherStream() {
    Set<Long> firstDraws = new HashSet<>();
    int keys = 0;
    for (long seed : new long[] {0, 1, 2, -1, Long.MAX_VALUE}) {
      for (Purpose purpose : new Purpose[] {Purpose.DATA, Purpose.BATCHES, new Purpose("atad")}) {
        for (long peer = -1; peer < 40; peer++) {
          for (long counter = -1; counter < 40; counter++) {
            firstDraws.add(new RandomStreams(seed).stream(purpose, peer, counter).nextLong());
            keys++;
          }
        }
      }
    }
    assertThat(firstDraws).hasSize(keys);
  }

  @Test
  void streamsOfNeighbouringKeysAreUncorrelated() {
    // Product of two independent standard uniform deviations: mean 0, variance 1.
    double sum = 0;
    for (int counter = 0; counter < DRAWS; counter++) {
      double a = stream(counter).nextDouble() - 0.5;
      double b = stream(counter + 1).nextDouble() - 0.5;
      sum += 12 * a * b;
    }
    assertThat(sum / DRAWS).isCloseTo(0, within(ERRORS / Math.sqrt(DRAWS)));
  }

  @Test
  void uniformDrawsHaveTheirMoments() {
    RandomStream random = stream(1);
    checkMoments(random::nextDouble, 0.5, 1.0 / 12, 1.0 / 80);
    checkMoments(() -> random.uniform(-3, 5), 1, 64.0 / 12, 4096.0 / 80);
  }

  @Test
  void uniformDrawsStayWithinTheirBounds() {
    RandomStream random = stream(2);
    for (int i = 0; i < DRAWS; i++) {
      assertThat(random.nextDouble()).isBetween(0.0, 1 - 0x1.0p-53);
    }
  }

  @Test
  void gaussianDrawsHaveTheirMoments() {
    checkMoments(stream(3)::nextGaussian, 0, 1, 3);
  }

  @Test
  void gaussianDrawsFallIntoTheirQuantiles() {
    RandomStream random = stream(4);
    int below = 0;
    for (int i = 0; i < DRAWS; i++) {
      below += random.nextGaussian() < 1.2815515655446004 ? 1 : 0;
    }
    assertThat(below / (double) DRAWS).isCloseTo(0.9, within(ERRORS * Math.sqrt(0.09 / DRAWS)));
  }

  /** Digamma, trigamma and polygamma 3 from their asymptotic series, in Python. */
  @ParameterizedTest
  @CsvSource({
    "0.1, -10.423754940411232, 101.4332991507928, 60004.512876790264",
    "0.5, -1.9635100260215557, 4.934802200544731, 97.40909103400037",
    "1, -0.5772156649016953, 1.6449340668482912, 6.493939402264241",
    "2.5, 0.7031566406451107, 0.4903577561002868, 0.22390584881517783",
    "9, 2.1406414779554477, 0.11751201469409617, 0.003234396043355465"
  })
  void logarithmsOfGammaDrawsHaveTheirMoments(
      double shape, double mean, double variance, double excess) {
    RandomStream random = stream(5);
    checkMoments(
        () -> random.nextLogGamma(shape), mean, variance, excess + 3 * variance * variance);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 1, 4})
  void gammaDrawsHaveTheirMoments(double shape) {
    RandomStream random = stream(6);
    checkMoments(
        () -> Math.exp(random.nextLogGamma(shape)), shape, shape, 3 * shape * shape + 6 * shape);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN})
  void gammaRefusesAShapeThatIsNotPositive(double shape) {
    assertThatThrownBy(() -> stream(0).nextLogGamma(shape))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("positive");
  }

  @Test
  void dirichletDrawsHaveTheirMoments() {
    // Beta(0.7, 2.8) each: variance ab / ((a+b)^2 (a+b+1)); raw moments by hand for the fourth.
    double a = 0.7;
    double b = 2.8;
    double mean = 0.2;
    double variance = a * b / ((a + b) * (a + b) * (a + b + 1));
    double second = mean * (a + 1) / (a + b + 1);
    double third = second * (a + 2) / (a + b + 2);
    double raw = third * (a + 3) / (a + b + 3);
    double fourth =
        raw - 4 * mean * third + 6 * mean * mean * second - 3 * mean * mean * mean * mean;
    RandomStream random = stream(7);
    checkMoments(() -> random.nextDirichlet(5, a)[3], mean, variance, fourth);
  }

  @Test
  void dirichletOfTinyAlphaIsFiniteAndSumsToOne() {
    Property.forAll((random, size) -> random.nextDirichlet(size, 0.001))
        .runs(500)
        .holds(
            shares -> {
              assertThat(shares).doesNotContain(Double.NaN);
              assertThat(Arrays.stream(shares).min().orElse(0)).isNotNegative();
              assertThat(Arrays.stream(shares).sum()).isCloseTo(1, within(1e-12));
            });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 10, 64, 100})
  void boundedDrawsAreEquallyLikely(int bound) {
    RandomStream random = stream(8);
    int[] counts = new int[bound];
    for (int i = 0; i < DRAWS; i++) {
      counts[random.nextInt(bound)]++;
    }
    double share = 1.0 / bound;
    double error = ERRORS * Math.sqrt(share * (1 - share) / DRAWS);
    for (int count : counts) {
      assertThat(count / (double) DRAWS).isCloseTo(share, within(error));
    }
  }

  @Test
  void boundedDrawsAreUnbiasedForBoundsThatDoNotDivideTheRange() {
    // A plain remainder would put 56 of 100 draws into the lower half of this bound.
    int bound = 3 << 29;
    RandomStream random = stream(9);
    int low = 0;
    for (int i = 0; i < DRAWS; i++) {
      int draw = random.nextInt(bound);
      assertThat(draw).isBetween(0, bound - 1);
      low += draw < bound / 2 ? 1 : 0;
    }
    assertThat(low / (double) DRAWS).isCloseTo(0.5, within(ERRORS * 0.5 / Math.sqrt(DRAWS)));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
  void aBoundThatIsNotPositiveIsRefused(int bound) {
    assertThatThrownBy(() -> stream(0).nextInt(bound)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aShuffleIsAPermutation() {
    Property.forAll((random, size) -> random.permutation(size - 1))
        .runs(300)
        .holds(
            order ->
                assertThat(Arrays.stream(order).sorted())
                    .containsExactlyElementsOf(IntStream.range(0, order.length).boxed().toList()));
  }

  @Test
  void everyOrderOfAShuffleIsEquallyLikely() {
    RandomStream random = stream(10);
    int[] counts = new int[27];
    for (int i = 0; i < DRAWS; i++) {
      int[] order = random.permutation(3);
      counts[9 * order[0] + 3 * order[1] + order[2]]++;
    }
    double error = ERRORS * Math.sqrt(5.0 / 36 / DRAWS);
    for (int at : new int[] {5, 7, 11, 15, 19, 21}) {
      assertThat(counts[at] / (double) DRAWS).isCloseTo(1.0 / 6, within(error));
    }
  }
}
