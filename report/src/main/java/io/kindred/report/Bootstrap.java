package io.kindred.report;

import io.kindred.report.run.RunRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SplittableRandom;

/**
 * Whether one method is better than another, or was only luckier with its seeds and peers. Both met
 * the same seeds and peers, so what is resampled are differences: seeds first, because peers of one
 * seed share a split and starting weights, then peers of each seed that was drawn.
 */
final class Bootstrap {
  static final int RESAMPLES = 2000;

  /** Two and a half percent on either side are left out. */
  private static final double TAIL = 0.025;

  private Bootstrap() {}

  /** Where the mean difference lies with a confidence of 95 percent. */
  record Interval(double low, double high) {
    boolean containsZero() {
      return low <= 0 && high >= 0;
    }
  }

  /**
   * Names of the methods whose accuracy cannot be told from the best one's. The best itself is not
   * among them, nor is any of which too little is known.
   */
  static List<String> tiedWithBest(List<MethodRuns> methods) {
    MethodRuns best = null;
    for (MethodRuns method : methods) {
      double mean = method.accuracy().mean();
      if (Double.isFinite(mean) && (best == null || mean > best.accuracy().mean())) {
        best = method;
      }
    }
    List<String> level = new ArrayList<>();
    for (MethodRuns method : methods) {
      if (best != null && !method.name().equals(best.name())) {
        List<double[]> differences = differences(best, method);
        if (!differences.isEmpty() && interval(differences).containsZero()) {
          level.add(method.name());
        }
      }
    }
    return level;
  }

  /** By how much each peer is better off with the first method, seed by seed. */
  static List<double[]> differences(MethodRuns first, MethodRuns second) {
    List<double[]> bySeed = new ArrayList<>();
    for (RunRecord run : first.runs()) {
      second.runs().stream()
          .filter(other -> other.seed().equals(run.seed()))
          .findFirst()
          .map(other -> differences(run.lastByPeer(), other.lastByPeer()))
          .filter(found -> found.length > 0)
          .ifPresent(bySeed::add);
    }
    return bySeed;
  }

  private static double[] differences(
      SequencedMap<String, Double> first, SequencedMap<String, Double> second) {
    return first.entrySet().stream()
        .filter(peer -> second.containsKey(peer.getKey()))
        .mapToDouble(peer -> difference(peer, second))
        .toArray();
  }

  private static double difference(
      Map.Entry<String, Double> peer, SequencedMap<String, Double> second) {
    return peer.getValue() - second.getOrDefault(peer.getKey(), Double.NaN);
  }

  static Interval interval(List<double[]> bySeed) {
    // The same figures must always come to the same marks.
    SplittableRandom random = new SplittableRandom(RESAMPLES);
    double[] means = new double[RESAMPLES];
    for (int i = 0; i < means.length; i++) {
      double sum = 0;
      for (int draw = 0; draw < bySeed.size(); draw++) {
        sum += resampledMean(bySeed.get(random.nextInt(bySeed.size())), random);
      }
      means[i] = sum / bySeed.size();
    }
    Arrays.sort(means);
    int tail = (int) (TAIL * RESAMPLES);
    return new Interval(means[tail], means[RESAMPLES - 1 - tail]);
  }

  private static double resampledMean(double[] values, SplittableRandom random) {
    double sum = 0;
    for (int i = 0; i < values.length; i++) {
      sum += values[random.nextInt(values.length)];
    }
    return sum / values.length;
  }
}
