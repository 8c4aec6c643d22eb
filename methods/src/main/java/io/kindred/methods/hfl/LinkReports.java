package io.kindred.methods.hfl;

import io.kindred.core.peer.PeerId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Compares the link rates that clients report. A link has the same rate in both directions, so two
 * clients that report different rates for it cannot both be right (section 5.5.4). The client with
 * the most contradictions, at least two, is left out, and then the next, unless all clients with
 * contradictions have equally many. Of two clients that contradict only each other the false report
 * is unknown, and the lower rate counts. If a third of all clients would be left out, none is: then
 * links have probably changed between the measurements.
 */
final class LinkReports {
  private static final double TOLERANCE = 1e-6;

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

  private boolean contradict(int i, int j) {
    double one = reportedRates[i][j];
    double other = reportedRates[j][i];
    return one != other
        && !Double.isNaN(one + other)
        && !(Math.abs(one - other) <= TOLERANCE * Math.max(one, other));
  }

  /** The clients that are left out, in ascending order. */
  SortedSet<PeerId> inconsistentReporters() {
    int size = reports.size();
    boolean[] excluded = new boolean[size];
    SortedSet<PeerId> inconsistent = new TreeSet<>();
    while (true) {
      int[] contradictions = new int[size];
      for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++) {
          contradictions[i] += i != j && !excluded[i] && !excluded[j] && contradict(i, j) ? 1 : 0;
        }
      }
      int most = Arrays.stream(contradictions).max().orElse(0);
      List<Integer> worst = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        if (contradictions[i] == most) {
          worst.add(i);
        }
      }
      if (most < 2 || (worst.size() > 1 && noneStandsOut(worst, contradictions, excluded))) {
        break;
      }
      excluded[worst.getFirst()] = true;
      inconsistent.add(reports.get(worst.getFirst()).from());
    }
    return 3 * inconsistent.size() >= size ? Collections.emptySortedSet() : inconsistent;
  }

  /** Whether all clients with contradictions have equally many: then none of them stands out. */
  private static boolean noneStandsOut(
      List<Integer> worst, int[] contradictions, boolean[] excluded) {
    for (int i = 0; i < contradictions.length; i++) {
      if (!excluded[i] && contradictions[i] > 0 && !worst.contains(i)) {
        return false;
      }
    }
    return true;
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
