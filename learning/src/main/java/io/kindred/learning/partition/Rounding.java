package io.kindred.learning.partition;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Whole numbers for real ones, without losing or doubling a sample. */
final class Rounding {
  /** What arithmetic may have taken from a number that is meant to be whole. */
  private static final double SLACK = 1e-9;

  private Rounding() {}

  /**
   * Numbers of this sum, each the given one rounded down or up: the largest remainders go up, the
   * first of equal ones before the rest. The given numbers have the same sum, to within rounding.
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

  /** Numbers of this sum in these proportions. */
  static int[] inProportion(double[] parts, int total) {
    double sum = Arrays.stream(parts).sum();
    return toTotal(Arrays.stream(parts).map(part -> part / sum * total).toArray(), total);
  }
}
