package io.kindred.studies.hfl;

import io.kindred.report.run.RoundRow;
import io.kindred.report.run.RunRecord;
import io.kindred.report.run.Stage;
import io.kindred.report.table.Cell;
import io.kindred.report.table.Column;
import io.kindred.report.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * How many global rounds each variant of cluster formation needs to reach the accuracy that the
 * reference has after a given number of rounds, and how fast its features have to be collected to
 * win (section 5.5.3, tables 11 and 12): R_phi (t_phi + t_g + t_sync) > R (t + t_g + t_sync).
 */
public final class RoundsStudy {
  /**
   * Durations of the steps of a global round.
   *
   * @param feature t_phi, the reference's time to collect its features
   * @param global t_g
   * @param sync t_sync, the time in which clusters and coordinator synchronize
   */
  public record StepTimes(double feature, double global, double sync) {}

  private final SortedMap<String, List<RunRecord>> runs = new TreeMap<>();

  public RoundsStudy(List<RunRecord> records) {
    for (RunRecord record : records) {
      runs.computeIfAbsent(variantName(record), unseen -> new ArrayList<>()).add(record);
    }
  }

  /** The paper's name of the variant by which a run formed its clusters. */
  static String variantName(RunRecord record) {
    if (!record.method().equals("hfl")) {
      return record.method();
    }
    String way = record.settings().text("method.clusters.way");
    String feature = record.settings().text("method.feature");
    String ending = feature.equals("difference") ? "" : "-" + feature;
    return switch (way) {
      case "spectral" -> "A" + ending;
      case "adapted-spectral" -> "A+" + ending;
      case "label-skew" -> "B";
      case "random" -> "random";
      default ->
          switch (record.settings().text("method.clusters.swap.solution")) {
                case "individual" -> "1.2";
                case "angle-ratio" -> "2";
                case "time-ratio" -> "3";
                default -> "1.1";
              }
              + ending;
    };
  }

  /** The mean of a metric over runs, for rounds that all runs have measured. */
  private static SortedMap<Integer, Double> means(
      List<RunRecord> records, Function<RunRecord, SortedMap<Integer, Double>> measure) {
    SortedMap<Integer, Double> means = new TreeMap<>(measure.apply(records.getFirst()));
    means.replaceAll((_, _) -> 0.0);
    for (RunRecord record : records) {
      SortedMap<Integer, Double> measured = measure.apply(record);
      means.keySet().retainAll(measured.keySet());
      means.replaceAll((round, sum) -> sum + measured.getOrDefault(round, 0.0));
    }
    means.replaceAll((_, sum) -> sum / records.size());
    return means;
  }

  private static Pchip interpolated(SortedMap<Integer, Double> values) {
    return new Pchip(
        values.keySet().stream().mapToDouble(Integer::doubleValue).toArray(),
        values.values().stream().mapToDouble(Double::doubleValue).toArray());
  }

  /** Accuracy on the common test set by round; round 0 counts as 0. */
  private static Pchip accuracies(List<RunRecord> records) {
    SortedMap<Integer, Double> means = means(records, RunRecord::globalAccuracies);
    means.put(0, 0.0);
    return interpolated(means);
  }

  /** The time at which a possibly fractional round ends, as mean over runs. */
  private static double secondsAtRound(List<RunRecord> records, double round) {
    double sum = 0;
    for (RunRecord record : records) {
      List<RoundRow> rows = record.rows(Stage.MIXED);
      double[] xs = rows.stream().mapToDouble(RoundRow::round).toArray();
      double[] ys = rows.stream().mapToDouble(RoundRow::virtualSeconds).toArray();
      sum += new Pchip(xs, ys).at(round);
    }
    return sum / records.size();
  }

  /**
   * One row per variant: its last error, and when its error first fell to the target (figure 7).
   */
  public Table errors(String error, double target) {
    List<List<Cell>> rows = new ArrayList<>();
    for (Map.Entry<String, List<RunRecord>> entry : runs.entrySet()) {
      SortedMap<Integer, Double> errors =
          means(entry.getValue(), record -> record.evaluations().figure(error));
      double last = errors.size() < 2 ? Double.NaN : List.copyOf(errors.values()).getLast();
      double round = Double.NaN;
      if (last <= target) {
        errors.replaceAll((_, value) -> -value);
        round = interpolated(errors).firstReaching(-target).orElse(Double.NaN);
      }
      rows.add(
          List.of(
              Cell.of(entry.getKey()),
              Cell.of(entry.getValue().size()),
              Cell.of(last),
              Cell.of(round),
              Cell.of(Double.isNaN(round) ? round : secondsAtRound(entry.getValue(), round))));
    }
    return new Table(
        "",
        List.of(
            Column.words("way"),
            Column.numbers("runs", 0, Column.Best.NONE),
            Column.numbers("last error", 2, Column.Best.LOWEST),
            Column.numbers("rounds to " + target, 1, Column.Best.LOWEST),
            Column.numbers("seconds to " + target, 0, Column.Best.LOWEST)),
        rows);
  }

  /** Whether there are runs of a variant with this name. */
  public boolean hasVariant(String name) {
    return runs.containsKey(name);
  }

  public List<String> variantNames() {
    return List.copyOf(runs.keySet());
  }

  /** One row per variant, compared with the reference after the given number of rounds. */
  public Table table(String reference, int round, StepTimes stepTimes) {
    List<RunRecord> base = runs.getOrDefault(reference, List.of());
    double target = accuracies(base).at(round);
    double rest = stepTimes.global() + stepTimes.sync();
    List<List<Cell>> rows = new ArrayList<>();
    for (Map.Entry<String, List<RunRecord>> entry : runs.entrySet()) {
      OptionalDouble needed = accuracies(entry.getValue()).firstReaching(target);
      double rounds = needed.orElse(Double.NaN);
      rows.add(
          List.of(
              Cell.of(entry.getKey()),
              Cell.of(entry.getValue().size()),
              Cell.of(target),
              Cell.of(rounds),
              Cell.of(round / rounds * (stepTimes.feature() + rest) - rest),
              Cell.of(rounds / round * rest - rest)));
    }
    return new Table(
        "",
        List.of(
            Column.words("way"),
            Column.numbers("runs", 0, Column.Best.NONE),
            Column.percent("target %", Column.Best.NONE),
            Column.numbers("rounds", 1, Column.Best.LOWEST),
            Column.numbers("wins when t <=", 1, Column.Best.NONE),
            Column.numbers("cannot win when t_phi <", 1, Column.Best.NONE)),
        rows);
  }
}
