package io.kindred.learning.partition;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Rounds real numbers to integers without losing or doubling a sample. */
final class Rounding {
  /** Rounding error allowed in a number that is meant to be an integer. */
  private static final double SLACK = 1e-9;

  private Rounding() {}

  /**
   * Integers of this sum, each the given number rounded down or up: the largest remainders are
   * rounded up, ties in order. The given numbers have the same sum, to within rounding.
   */
  static int[] toTotal(double[] exact, int total) {
    int[] whole = Arrays.stream(exact).mapToInt(value -> (int) Math.floor(value + SLACK)).toArray();
    int spare = total - Arrays.stream(whole).sum();
    IntStream.range(0, exact.length)
        .boxed()
        .sorted(Comparator.comparingDouble(i -> whole[i] - exact[i]))
        .limit(Math.max(0, spare))
        .forEach(i -> whole[i]++);
    if (Arrays.stream(whole).sum() != total) {
      throw new IllegalArgumentException(Arrays.toString(exact) + " do not sum to " + total);
    }
    return whole;
  }

  /** Integers of this sum in these proportions. */
  static int[] inProportion(double[] parts, int total) {
    double sum = Arrays.stream(parts).sum();
    return toTotal(Arrays.stream(parts).map(part -> part / sum * total).toArray(), total);
  }
}
