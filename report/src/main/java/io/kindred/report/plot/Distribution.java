package io.kindred.report.plot;

import java.util.Arrays;
import java.util.List;

/** The values of one method, one per peer; values that are not finite are left out. */
public record Distribution(String name, SeriesStyle style, List<Double> values) {
  public Distribution {
    values = values.stream().filter(Double::isFinite).sorted().toList();
  }

  /** Interpolates between the two nearest ranks, as most statistics packages do by default. */
  public double quantile(double share) {
    return quantile(values.stream().mapToDouble(Double::doubleValue).toArray(), share);
  }

  /** Quantile of values in any order; NaN where there are none. */
  public static double quantile(double[] values, double share) {
    if (values.length == 0) {
      return Double.NaN;
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    double rank = share * (sorted.length - 1);
    int below = (int) Math.floor(rank);
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (rank - below) * (sorted[above] - sorted[below]);
  }

  public double mean() {
    return values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
  }
}
