package io.kindred.report;

import io.kindred.report.run.RunRecord;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SplittableRandom;

/**
 * Tests whether one method is better than another or only had luckier seeds and peers. Both methods
 * ran with the same seeds and peers, so their differences are resampled: seeds first, because peers
 * of one seed share a split and initial weights, then the peers of each drawn seed.
 */
final class Bootstrap {
  static final int RESAMPLES = 2000;

  /** Two and a half percent on either side are left out. */
  private static final double TAIL = 0.025;

  private Bootstrap() {}

  /** The 95 percent confidence interval of the mean difference. */
  record Interval(double low, double high) {
    boolean containsZero() {
      return low <= 0 && high >= 0;
    }
  }

  /**
   * Names of the methods whose accuracy is not significantly below the best one's. Excludes the
   * best method itself and methods that share no seed and peer with it.
   */
  static List<String> tiedWithBest(List<MethodRuns> methods) {
    MethodRuns best = null;
    for (MethodRuns method : methods) {
      double mean = method.accuracy().mean();
      if (Double.isFinite(mean) && (best == null || mean > best.accuracy().mean())) {
        best = method;
      }
    }
    List<String> tied = new ArrayList<>();
    for (MethodRuns method : methods) {
      if (best != null && !method.name().equals(best.name())) {
        List<double[]> differences = differences(best, method);
        if (!differences.isEmpty() && interval(differences).containsZero()) {
          tied.add(method.name());
        }
      }
    }
    return tied;
  }

  /** How much better each peer is with the first method than with the second, by seed. */
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
    // Equal figures must always give equal marks.
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
