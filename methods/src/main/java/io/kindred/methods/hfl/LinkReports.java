package io.kindred.methods.hfl;

import io.kindred.core.peer.PeerId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Compares the link rates that clients report (section 5.5.4). Both ends of a link measure it, with
 * noise, and the two directions of an honest link may differ. So a client is judged by the median
 * over its links of the ratio between its own rate and the other end's: a false report of another
 * client does not move that median. The lower rate of both counts.
 */
final class LinkReports {
  /** Links with both ends measured, below which a median says nothing. */
  private static final int FEWEST_LINKS = 3;

  /** Standard deviation of a normal distribution over its median absolute value. */
  private static final double NORMAL_SPREAD = 1.4826;

  /** Standard error of the median of n normal values over their deviation, times root n. */
  private static final double MEDIAN_ERROR = 1.2533;

  private final List<ClientReport> reports;
  private final double[][] reportedRates;

  LinkReports(List<ClientReport> reports) {
    this.reports = List.copyOf(reports);
    reportedRates = new double[reports.size()][reports.size()];
    for (double[] row : reportedRates) {
      Arrays.fill(row, Double.NaN);
    }
    Map<PeerId, Integer> indices = new TreeMap<>();
    for (int i = 0; i < reports.size(); i++) {
      indices.put(reports.get(i).from(), i);
    }
    for (int i = 0; i < reports.size(); i++) {
      for (ClientReport.Throughput link : reports.get(i).links()) {
        Integer to = indices.get(link.to());
        if (to != null) {
          reportedRates[i][to] = link.bytesPerSecond();
        }
      }
    }
  }

  /** The logarithm of the ratio of both ends' rates; not a number unless both measured the link. */
  private double logRatio(int i, int j) {
    double one = reportedRates[i][j];
    double other = reportedRates[j][i];
    return one > 0 && other > 0 ? StrictMath.log(one / other) : Double.NaN;
  }

  /**
   * The median of each client's log ratios, in units of the tolerance, or of three standard errors
   * of that median if these are more: where measurements are noisy, or links have changed between
   * the measurements of their two ends, a median of few links says less.
   */
  List<LinkHistory.Deviation> deviations(LinkHistory history) {
    List<double[]> ratios = new ArrayList<>();
    for (int i = 0; i < reports.size(); i++) {
      int client = i;
      ratios.add(
          IntStream.range(0, reports.size())
              .mapToDouble(j -> client == j ? Double.NaN : logRatio(client, j))
              .filter(ratio -> !Double.isNaN(ratio))
              .sorted()
              .toArray());
    }
    double[] all =
        ratios.stream().flatMapToDouble(Arrays::stream).map(Math::abs).sorted().toArray();
    double spread = all.length == 0 ? 0 : NORMAL_SPREAD * median(all);
    List<LinkHistory.Deviation> deviations = new ArrayList<>();
    for (int i = 0; i < reports.size(); i++) {
      double[] own = ratios.get(i);
      if (own.length >= FEWEST_LINKS) {
        double error = MEDIAN_ERROR * spread / Math.sqrt(own.length);
        double unit = Math.max(StrictMath.log(history.tolerance()), 3 * error);
        deviations.add(new LinkHistory.Deviation(reports.get(i).from(), median(own) / unit));
      }
    }
    return deviations;
  }

  private static double median(double[] sorted) {
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }

  /** The lower of both reported rates, or the only one; zero if neither end has measured it. */
  private double rate(int i, int j) {
    double one = reportedRates[i][j];
    double other = reportedRates[j][i];
    return Double.isNaN(one)
        ? (Double.isNaN(other) ? 0 : other)
        : Double.isNaN(other) ? one : Math.min(one, other);
  }

  /** Seconds that so many bytes take between two clients. */
  float[][] seconds(long bytes) {
    int size = reports.size();
    float[][] seconds = new float[size][size];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        double rate = rate(i, j);
        seconds[i][j] = i == j ? 0 : rate > 0 ? (float) (bytes / rate) : Float.POSITIVE_INFINITY;
      }
    }
    return seconds;
  }
}
