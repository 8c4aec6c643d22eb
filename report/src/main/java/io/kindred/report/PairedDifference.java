package io.kindred.report;

import io.kindred.report.run.RunRecord;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SequencedMap;

/**
 * How the accuracy of a method differs from that of the best method, over the same peers under the
 * same seeds at the last round, and how small a difference such a comparison can detect.
 *
 * @param seeds seeds that both methods have
 * @param fewestPeers peers that both methods have, in the seed with the fewest
 * @param mostPeers the same in the seed with the most
 * @param evaluatedOn which samples of a peer its model was evaluated on: test, validation or
 *     training
 * @param samples the evaluated samples, counted for every peer and seed; empty if the runs do not
 *     record them
 * @param mean accuracy of the method minus that of the best one
 * @param standardError of the mean; NaN for one peer with one seed
 */
public record PairedDifference(
    String method,
    String best,
    int seeds,
    int fewestPeers,
    int mostPeers,
    String evaluatedOn,
    OptionalLong samples,
    double mean,
    double standardError) {
  /** A smaller difference between two methods is rarely worth a claim. */
  private static final double WANTED = 0.02;

  /** Quantiles of the normal distribution: a two-sided level of 5 %, and a power of 80 %. */
  private static final double LEVEL_QUANTILE = 1.96;

  private static final double POWER_QUANTILE = 0.84;

  /** Empty if the methods share no seed and peer. */
  static Optional<PairedDifference> of(MethodRuns method, MethodRuns best) {
    List<double[]> bySeed = Bootstrap.differences(method, best);
    if (bySeed.isEmpty()) {
      return Optional.empty();
    }
    double mean =
        bySeed.stream()
            .mapToDouble(values -> Arrays.stream(values).average().orElseThrow())
            .average()
            .orElseThrow();
    return Optional.of(
        new PairedDifference(
            method.name(),
            best.name(),
            bySeed.size(),
            bySeed.stream().mapToInt(values -> values.length).min().orElseThrow(),
            bySeed.stream().mapToInt(values -> values.length).max().orElseThrow(),
            method.first().evaluatedOn(),
            samples(method, best),
            mean,
            Bootstrap.standardError(bySeed)));
  }

  private static OptionalLong samples(MethodRuns method, MethodRuns best) {
    long sum = 0;
    for (RunRecord run : method.runs()) {
      Optional<RunRecord> counterpart =
          best.runs().stream().filter(other -> other.seed().equals(run.seed())).findFirst();
      if (counterpart.isPresent()) {
        Map<String, Double> others = counterpart.get().lastByPeer();
        for (String peer : run.lastByPeer().keySet()) {
          OptionalInt count = run.evaluations().samples(peer);
          if (others.containsKey(peer) && count.isEmpty()) {
            return OptionalLong.empty();
          }
          sum += others.containsKey(peer) ? count.orElse(0) : 0;
        }
      }
    }
    return OptionalLong.of(sum);
  }

  /**
   * The smallest true difference that a test with a two-sided level of 5 % finds in 80 % of the
   * repetitions; NaN where the standard error is unknown.
   */
  double detectable() {
    return detectable(standardError);
  }

  static double detectable(double standardError) {
    return (LEVEL_QUANTILE + POWER_QUANTILE) * standardError;
  }

  /** For JSON; differences are in percentage points. */
  public SequencedMap<String, Object> mapping() {
    SequencedMap<String, Object> mapping = new LinkedHashMap<>();
    mapping.put("best", best);
    samples.ifPresent(count -> mapping.put(evaluatedOn + "Samples", count));
    mapping.put("peers", fewestPeers);
    mapping.put("seeds", seeds);
    mapping.put("differencePoints", 100 * mean);
    if (Double.isFinite(standardError)) {
      mapping.put("standardErrorPoints", 100 * standardError);
      mapping.put("detectablePoints", 100 * detectable());
    }
    warning().ifPresent(text -> mapping.put("warning", text));
    return mapping;
  }

  /** Says that a difference of two points could not be seen, and the remedy; empty if it could. */
  Optional<String> warning() {
    if (detectable() <= WANTED) {
      return Optional.empty();
    }
    String wanted = "a difference of 2 points could not be seen here: ";
    String which = " (" + method + " against " + best + ")";
    return Optional.of(
        Double.isFinite(standardError)
            ? wanted
                + "the smallest detectable difference is "
                + points(detectable())
                + " points"
                + which
                + "; add seeds (--seeds) or test samples (evaluation.localTest / dataset.samples)"
            : wanted
                + "one peer with one seed has no standard error"
                + which
                + "; add seeds (--seeds) or evaluated peers (evaluation.peers)");
  }

  /** Rounded up to tenths: a printed 2.0 must not hide a difference of more than 2 points. */
  static String points(double fraction) {
    return String.format(Locale.ROOT, "%.1f", Math.ceil(1000 * fraction - 1e-9) / 10);
  }
}
