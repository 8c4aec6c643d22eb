package io.kindred.runtime.metrics;

import io.kindred.core.peer.Observation;
import io.kindred.core.peer.Ticks;
import io.kindred.runtime.config.Experiment;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Statistics over peers, by round and stage. A round's figures are kept one by one only until every
 * peer has reported, so memory follows the rounds in progress and not the length of the run.
 */
public final class RoundTable {
  /** Rounds come in order, and within a round training before mixing. */
  public record RoundStage(int round, String stage) implements Comparable<RoundStage> {
    private static final List<String> STAGES = List.of("trained", "mixed", "final");

    @Override
    public int compareTo(RoundStage other) {
      int byRound = Integer.compare(round, other.round);
      return byRound != 0
          ? byRound
          : Integer.compare(STAGES.indexOf(stage), STAGES.indexOf(other.stage));
    }
  }

  /** The statistics of a round; global is NaN where the common test set was not used. */
  record Row(
      int peers,
      double mean,
      double std,
      double p10,
      double best,
      double worst,
      double global,
      SortedMap<String, Double> extra) {}

  /** The mean of a figure over the peers that have it. */
  private record Mean(double sum, int count) {
    private Mean plus(Mean other) {
      return new Mean(sum + other.sum, count + other.count);
    }
  }

  private static final class OpenRound {
    private final List<Double> accuracies = new ArrayList<>();
    private final List<Double> globals = new ArrayList<>();
    private final SortedMap<String, Mean> extra = new TreeMap<>();
    private final SortedSet<Long> reported = new TreeSet<>();
  }

  private final int peers;
  private final SortedSet<Integer> hostile;
  private final SortedMap<RoundStage, OpenRound> openRounds = new TreeMap<>();
  private final SortedMap<RoundStage, Row> completedRows = new TreeMap<>();

  // The last cluster of each peer.
  private final SortedMap<Long, Integer> clusters = new TreeMap<>();

  private final OverallMeasures overall = new OverallMeasures();

  private int newestRound;
  private OptionalDouble newestMean = OptionalDouble.empty();

  /** A table of so many peers. */
  public RoundTable(int peers) {
    this(peers, new TreeSet<>());
  }

  private RoundTable(int peers, SortedSet<Integer> hostile) {
    this.peers = peers;
    this.hostile = hostile;
  }

  /** The table of an experiment: of the honest peers that are evaluated. */
  public static RoundTable of(Experiment experiment) {
    SortedSet<Integer> hostile = experiment.hostilePeers();
    int evaluated =
        (int)
            IntStream.range(0, experiment.peers())
                .filter(peer -> experiment.evaluation().evaluatesPeer(peer))
                .filter(peer -> !hostile.contains(peer))
                .count();
    return new RoundTable(evaluated, hostile);
  }

  /**
   * Adds a line. If a peer repeats a round, as it does after it lost its state, its first line
   * counts. Lines of hostile peers do not count.
   */
  public void add(MetricLine line) {
    if (hostile.contains((int) line.peer())) {
      return;
    }
    Double cluster = line.extra().get(Observation.Measured.CLUSTER);
    if (cluster != null) {
      clusters.put(line.peer(), cluster.intValue());
    }
    overall.add(line);
    RoundStage roundStage = new RoundStage(line.round(), line.stage());
    if (completedRows.containsKey(roundStage)) {
      return;
    }
    OpenRound round = openRounds.computeIfAbsent(roundStage, unseen -> new OpenRound());
    if (!round.reported.add(line.peer())) {
      return;
    }
    if (line.accuracy() != null) {
      round.accuracies.add(line.accuracy());
    }
    if (line.globalAccuracy() != null) {
      round.globals.add(line.globalAccuracy());
    }
    line.extra()
        .forEach((name, figure) -> round.extra.merge(name, new Mean(figure, 1), Mean::plus));
    if (round.reported.size() == peers) {
      Row row = statistics(round);
      completedRows.put(roundStage, row);
      if (roundStage.stage().equals("mixed") && roundStage.round() >= newestRound) {
        newestRound = roundStage.round();
        newestMean = OptionalDouble.of(row.mean());
      }
      openRounds.remove(roundStage);
    }
  }

  private static Row statistics(OpenRound round) {
    double[] sorted = round.accuracies.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    double global =
        round.globals.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
    SortedMap<String, Double> extra = new TreeMap<>();
    round.extra.forEach((name, mean) -> extra.put(name, mean.sum() / mean.count()));
    if (sorted.length == 0) {
      return new Row(0, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN, global, extra);
    }
    double mean = Arrays.stream(sorted).sum() / sorted.length;
    double squares = Arrays.stream(sorted).map(each -> (each - mean) * (each - mean)).sum();
    return new Row(
        sorted.length,
        mean,
        Math.sqrt(squares / sorted.length),
        quantile(sorted, 0.1),
        sorted[sorted.length - 1],
        sorted[0],
        global,
        extra);
  }

  /** Linear between the two nearest ranks. */
  static double quantile(double[] sorted, double share) {
    double at = share * (sorted.length - 1);
    int below = (int) Math.floor(at);
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
  }

  /** All rows so far; an incomplete round counts with the peers that have reported it. */
  private SortedMap<RoundStage, Row> rows() {
    SortedMap<RoundStage, Row> all = new TreeMap<>(completedRows);
    openRounds.forEach((roundStage, round) -> all.put(roundStage, statistics(round)));
    return all;
  }

  /** The last cluster of each peer that reported one. */
  public SortedMap<Long, Integer> clusters() {
    return clusters;
  }

  /** Measures over the samples of all peers together, by their last models. */
  OverallMeasures overall() {
    return overall;
  }

  /** The last round of a stage that has any figures. */
  Optional<Row> last(String stage) {
    Optional<Row> last = Optional.empty();
    for (var entry : rows().entrySet()) {
      if (entry.getKey().stage().equals(stage)) {
        last = Optional.of(entry.getValue());
      }
    }
    return last;
  }

  /** The extra figures of the last round, each from the last stage that has it. */
  public SortedMap<String, Double> lastFigures() {
    SortedMap<String, Double> figures = new TreeMap<>();
    for (String stage : RoundStage.STAGES) {
      last(stage).ifPresent(row -> figures.putAll(row.extra()));
    }
    return figures;
  }

  /** The mean over all rounds of extra figures at the mixed stage. */
  SortedMap<String, Double> meansOverRounds(List<String> names) {
    SortedMap<String, Double> means = new TreeMap<>();
    for (String name : names) {
      rows().entrySet().stream()
          .filter(entry -> entry.getKey().stage().equals("mixed"))
          .map(entry -> entry.getValue().extra().get(name))
          .filter(Objects::nonNull)
          .mapToDouble(Double::doubleValue)
          .average()
          .ifPresent(mean -> means.put(name, mean));
    }
    return means;
  }

  /** The mean of the newest round that all peers have finished mixing. */
  OptionalDouble newestMean() {
    return newestMean;
  }

  OptionalDouble bestMean() {
    return rows().entrySet().stream()
        .filter(entry -> entry.getKey().stage().equals("mixed"))
        .mapToDouble(entry -> entry.getValue().mean())
        .filter(Double::isFinite)
        .max();
  }

  /**
   * The first round whose mean reaches each target, by target; targets that are not reached are
   * absent.
   */
  SortedMap<String, Integer> roundsToTargets(List<Double> targets) {
    SortedMap<String, Integer> reached = new TreeMap<>();
    for (double target : targets) {
      for (var entry : rows().entrySet()) {
        if (entry.getKey().stage().equals("mixed") && entry.getValue().mean() >= target) {
          reached.put(name(target), entry.getKey().round());
          break;
        }
      }
    }
    return reached;
  }

  /** With two decimals, or with as many as it takes: 0.999 is not 1.00. */
  private static String name(double target) {
    BigDecimal exact = BigDecimal.valueOf(target);
    return exact.setScale(Math.max(2, exact.scale())).toPlainString();
  }

  public String csv(SortedMap<Integer, TrafficTotals> traffic) {
    StringBuilder out =
        new StringBuilder(
            "round,stage,mean,std,p10,best,worst,globalMean,modelBytes,controlBytes,recallAtK,virtualSeconds\n");
    for (var entry : rows().entrySet()) {
      Row row = entry.getValue();
      TrafficTotals totals = traffic.get(entry.getKey().round());
      out.append(entry.getKey().round()).append(',').append(entry.getKey().stage());
      for (double figure :
          new double[] {row.mean(), row.std(), row.p10(), row.best(), row.worst(), row.global()}) {
        out.append(',').append(Double.isNaN(figure) ? "" : Double.toString(figure));
      }
      if (totals == null) {
        out.append(",,,,\n");
      } else {
        out.append(',').append(totals.modelBytes()).append(',').append(totals.controlBytes());
        Double recall = row.extra().get(Recorder.RECALL);
        out.append(',').append(recall == null ? "" : recall.toString());
        out.append(',').append(Ticks.toSeconds(totals.tick())).append('\n');
      }
    }
    return out.toString();
  }
}
