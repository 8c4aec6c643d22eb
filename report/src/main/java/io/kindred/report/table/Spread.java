package io.kindred.report.table;

import java.util.Arrays;

/**
 * Mean and standard deviation of some values.
 *
 * @param std NaN for a single value
 */
public record Spread(double mean, double std, int count) {

  /** Over repeated runs: the seeds are a sample, so the deviation divides by n - 1. */
  public static Spread overSeeds(double... values) {
    return of(values, 1);
  }

  /** Over peers: they are the whole population, so the deviation divides by n. */
  public static Spread overPeers(double... values) {
    return of(values, 0);
  }

  private static Spread of(double[] values, int missing) {
    double[] finite = Arrays.stream(values).filter(Double::isFinite).toArray();
    if (finite.length == 0) {
      return new Spread(Double.NaN, Double.NaN, 0);
    }
    double mean = Arrays.stream(finite).sum() / finite.length;
    double squares = Arrays.stream(finite).map(v -> (v - mean) * (v - mean)).sum();
    int divisor = finite.length - missing;
    return new Spread(mean, divisor > 0 ? Math.sqrt(squares / divisor) : Double.NaN, finite.length);
  }

  /** Whether there is any value. */
  public boolean present() {
    return count > 0;
  }

  /** Whether the deviation is worth showing. */
  public boolean repeated() {
    return count > 1;
  }
}
