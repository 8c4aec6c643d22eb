package io.kindred.report;

import io.kindred.report.run.RunRecord;
import io.kindred.report.table.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SplittableRandom;
import java.util.function.Function;

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
    List<String> tied = new ArrayList<>();
    MethodRuns best = best(methods).orElse(null);
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

  /** The method with the highest mean accuracy; the first one of equal methods. */
  static Optional<MethodRuns> best(List<MethodRuns> methods) {
    return methods.stream()
        .filter(method -> Double.isFinite(method.accuracy().mean()))
        .reduce((one, other) -> other.accuracy().mean() > one.accuracy().mean() ? other : one);
  }

  /** How much better each peer is with the first method than with the second, by seed. */
  static List<double[]> differences(MethodRuns first, MethodRuns second) {
    return differences(first, second, RunRecord::lastByPeer);
  }

  /**
   * The same by another figure.
   *
   * @param figure of each peer of a run
   */
  static List<double[]> differences(
      MethodRuns first,
      MethodRuns second,
      Function<RunRecord, SequencedMap<String, Double>> figure) {
    List<double[]> bySeed = new ArrayList<>();
    for (RunRecord run : first.runs()) {
      second.runs().stream()
          .filter(other -> other.seed().equals(run.seed()))
          .findFirst()
          .map(other -> differences(figure.apply(run), figure.apply(other)))
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

  /**
   * The standard error of the mean difference, with the units of the resampling: seeds, and peers
   * within a seed. This is the closed form of the deviation of the resampled means, but with
   * variances that divide by n - 1, because with three seeds the variance of plain resampling is a
   * third too small. NaN for a single difference, which shows no variation.
   */
  static double standardError(List<double[]> bySeed) {
    if (bySeed.size() == 1 && bySeed.getFirst().length == 1) {
      return Double.NaN;
    }
    List<Spread> seeds = bySeed.stream().map(Spread::overSeeds).toList();
    double within =
        seeds.stream().filter(Spread::repeated).mapToDouble(Bootstrap::squaredError).sum()
            / seeds.size();
    Spread between = Spread.overSeeds(seeds.stream().mapToDouble(Spread::mean).toArray());
    double betweenVariance = between.repeated() ? between.std() * between.std() : 0;
    return Math.sqrt((betweenVariance + within) / seeds.size());
  }

  private static double squaredError(Spread values) {
    return values.std() * values.std() / values.count();
  }

  private static double resampledMean(double[] values, SplittableRandom random) {
    double sum = 0;
    for (int i = 0; i < values.length; i++) {
      sum += values[random.nextInt(values.length)];
    }
    return sum / values.length;
  }
}
