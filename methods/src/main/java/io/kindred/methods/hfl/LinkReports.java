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
 * What clients say of the ways between them, side by side. A way is the same in both directions, so
 * two who say different things of it cannot both be right (section 5.5.4). Who is contradicted by
 * several others and more often than each of them is left out. Of two who contradict only each
 * other nobody can tell which one lies: the slower figure counts. And where a third of all would
 * have to go, the world has changed between their measurements rather than that so many lie.
 */
final class LinkReports {
  private static final double TOLERANCE = 1e-6;

  private final List<ClientReport> reports;
  private final double[][] reportedRates;

  LinkReports(List<ClientReport> reports) {
    this.reports = List.copyOf(reports);
    reportedRates = new double[reports.size()][reports.size()];
    Map<PeerId, Integer> places = new TreeMap<>();
    for (int i = 0; i < reports.size(); i++) {
      places.put(reports.get(i).from(), i);
    }
    for (int i = 0; i < reports.size(); i++) {
      for (ClientReport.Throughput link : reports.get(i).links()) {
        Integer to = places.get(link.to());
        if (to != null) {
          reportedRates[i][to] = link.bytesPerSecond();
        }
      }
    }
  }

  private boolean contradict(int i, int j) {
    double one = reportedRates[i][j];
    double other = reportedRates[j][i];
    return one != other && !(Math.abs(one - other) <= TOLERANCE * Math.max(one, other));
  }

  /** Those who are left out, in ascending order. */
  SortedSet<PeerId> inconsistentReporters() {
    int size = reports.size();
    boolean[] gone = new boolean[size];
    SortedSet<PeerId> liars = new TreeSet<>();
    while (true) {
      int[] contradictions = new int[size];
      for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++) {
          contradictions[i] += i != j && !gone[i] && !gone[j] && contradict(i, j) ? 1 : 0;
        }
      }
      int most = Arrays.stream(contradictions).max().orElse(0);
      List<Integer> worst = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        if (contradictions[i] == most) {
          worst.add(i);
        }
      }
      if (most < 2 || (worst.size() > 1 && noneStandsOut(worst, contradictions, gone))) {
        break;
      }
      gone[worst.getFirst()] = true;
      liars.add(reports.get(worst.getFirst()).from());
    }
    return 3 * liars.size() >= size ? Collections.emptySortedSet() : liars;
  }

  /** Whether everybody who is contradicted at all is so equally often: then nobody stands out. */
  private static boolean noneStandsOut(List<Integer> worst, int[] contradictions, boolean[] gone) {
    for (int i = 0; i < contradictions.length; i++) {
      if (!gone[i] && contradictions[i] > 0 && !worst.contains(i)) {
        return false;
      }
    }
    return true;
  }

  /** Seconds that so many bytes take from one to another; the slower of what both say. */
  float[][] seconds(long bytes) {
    int size = reports.size();
    float[][] seconds = new float[size][size];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        double rate = Math.min(reportedRates[i][j], reportedRates[j][i]);
        seconds[i][j] = i == j ? 0 : rate > 0 ? (float) (bytes / rate) : Float.POSITIVE_INFINITY;
      }
    }
    return seconds;
  }
}
