package io.kindred.report;

import io.kindred.report.plot.Point;
import io.kindred.report.plot.SeriesStyle;
import io.kindred.report.run.RoundRow;
import io.kindred.report.run.RunRecord;
import io.kindred.report.run.Stage;
import io.kindred.report.table.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** Runs that differ only by seed, under one name and one style in every figure. */
public record MethodRuns(String name, SeriesStyle style, List<RunRecord> runs) {
  static final String LOCAL = "local";

  public MethodRuns {
    runs = List.copyOf(runs);
    if (runs.isEmpty()) {
      throw new IllegalArgumentException("a method needs at least one run");
    }
  }

  RunRecord first() {
    return runs.getFirst();
  }

  boolean isLocal() {
    return first().method().equals(LOCAL);
  }

  /**
   * The settings that must agree before accuracies may be ranked. Settings come before the summary,
   * because an unfinished run has no summary yet and must still compare equal to a finished one.
   */
  List<String> task() {
    List<String> task = new ArrayList<>();
    for (String key : List.of("dataset", "model", "partition")) {
      String settings = String.join(";", first().settings().entriesUnder(key));
      task.add(settings.isEmpty() ? first().summary().text(key) : settings);
    }
    task.add(peerCount());
    task.add(first().evaluatedOn());
    return task;
  }

  /** Which of a peer's own samples the models of these methods were evaluated on, in words. */
  static String evaluatedOn(List<MethodRuns> methods) {
    return methods.stream()
        .map(method -> method.first().evaluatedOn())
        .distinct()
        .collect(Collectors.joining(" or "));
  }

  String peerCount() {
    double peers = first().peers();
    return Double.isNaN(peers) ? "" : Long.toString(Math.round(peers));
  }

  boolean finished() {
    return runs.stream().allMatch(RunRecord::finished);
  }

  Spread spreadOver(ToDoubleFunction<RunRecord> measure) {
    return Spread.overSeeds(runs.stream().mapToDouble(measure).toArray());
  }

  /** Mean over peers, at the last round of the main stage. */
  Spread accuracy() {
    return spreadOver(run -> summaryOrLastRound(run, "accuracy.local.mean", RoundRow::mean));
  }

  Spread peerDeviation() {
    return spreadOver(run -> summaryOrLastRound(run, "accuracy.local.std", RoundRow::std));
  }

  Spread tenthPercentile() {
    return spreadOver(run -> summaryOrLastRound(run, "accuracy.local.p10", RoundRow::p10));
  }

  Spread afterTraining() {
    return spreadOver(
        run -> {
          double stated = run.summary().number("accuracy.local.afterTraining");
          List<RoundRow> rows = run.rows(Stage.TRAINED);
          return Double.isFinite(stated) || rows.isEmpty() ? stated : rows.getLast().mean();
        });
  }

  Spread globalAccuracy() {
    return spreadOver(run -> summaryOrLastRound(run, "accuracy.global.mean", RoundRow::globalMean));
  }

  Spread modelBytesPerPeer() {
    return spreadOver(run -> modelBytes(run) / run.peers());
  }

  /** Models that a peer received from others. */
  Spread modelsPerPeerAndRound() {
    return spreadOver(run -> run.summary().number("traffic.modelsPulledPerPeerRound"));
  }

  Spread modelBytesPerPeerAndRound() {
    return spreadOver(run -> modelBytes(run) / run.peers() / run.roundCount());
  }

  Spread controlBytesPerPeerAndRound() {
    return spreadOver(run -> controlBytes(run) / run.peers() / run.roundCount());
  }

  /** Bytes of models and of all other messages, including those that servers sent. */
  Spread bytesPerPeerAndRound() {
    return spreadOver(
        run -> (modelBytes(run) + controlBytes(run)) / run.peers() / run.roundCount());
  }

  private static double modelBytes(RunRecord run) {
    return summaryOrLastRound(run, "traffic.modelBytes", RoundRow::modelBytes);
  }

  private static double controlBytes(RunRecord run) {
    return summaryOrLastRound(run, "traffic.controlBytes", RoundRow::controlBytes);
  }

  Spread virtualSeconds() {
    return spreadOver(run -> lastRoundValue(run, RoundRow::virtualSeconds));
  }

  Spread wallSeconds() {
    return spreadOver(run -> run.summary().number("wallSeconds"));
  }

  private static double summaryOrLastRound(
      RunRecord run, String path, ToDoubleFunction<RoundRow> otherwise) {
    double stated = run.summary().number(path);
    return Double.isFinite(stated) ? stated : lastRoundValue(run, otherwise);
  }

  private static double lastRoundValue(RunRecord run, ToDoubleFunction<RoundRow> measure) {
    List<RoundRow> rows = run.rows(run.mainStage());
    return rows.isEmpty() ? Double.NaN : measure.applyAsDouble(rows.getLast());
  }

  /**
   * Rows of the main stage by round, for rounds that every seed has reached: a mean over fewer
   * seeds would make the curve jump where one of them stops.
   */
  SortedMap<Integer, List<RoundRow>> commonRounds() {
    SortedMap<Integer, List<RoundRow>> byRound = new TreeMap<>();
    for (RunRecord run : runs) {
      for (RoundRow row : run.rows(run.mainStage())) {
        byRound.computeIfAbsent(row.round(), _ -> new ArrayList<>()).add(row);
      }
    }
    byRound.values().removeIf(rows -> rows.size() < runs.size());
    return byRound;
  }

  /**
   * Accuracy over rounds, with the deviation over seeds or that over peers, averaged over seeds.
   */
  List<Point> accuracyByRound(boolean overSeeds) {
    List<Point> points = new ArrayList<>();
    commonRounds()
        .forEach(
            (round, rows) ->
                points.add(
                    new Point(
                        round,
                        mean(rows, RoundRow::mean),
                        overSeeds
                            ? spread(rows, RoundRow::mean).std()
                            : mean(rows, RoundRow::std))));
    return points;
  }

  /**
   * A metric by round over simulated time, with the deviation over seeds; only rounds that every
   * seed has measured.
   */
  List<Point> pointsOverTime(Function<RunRecord, SortedMap<Integer, Double>> measure) {
    List<SortedMap<Integer, Double>> measured = runs.stream().map(measure).toList();
    List<Point> points = new ArrayList<>();
    commonRounds()
        .forEach(
            (round, rows) -> {
              double[] values =
                  measured.stream()
                      .mapToDouble(each -> each.getOrDefault(round, Double.NaN))
                      .toArray();
              if (DoubleStream.of(values).allMatch(Double::isFinite)) {
                Spread spread = Spread.overSeeds(values);
                points.add(
                    new Point(
                        mean(rows, RoundRow::virtualSeconds),
                        spread.mean(),
                        values.length > 1 ? spread.std() : Double.NaN));
              }
            });
    return points;
  }

  /** A metric by round, mean over seeds; only rounds that every seed has measured. */
  List<Point> pointsByRound(Function<RunRecord, SortedMap<Integer, Double>> measure) {
    List<SortedMap<Integer, Double>> measured = runs.stream().map(measure).toList();
    List<Point> points = new ArrayList<>();
    for (int round : measured.getFirst().keySet()) {
      double[] values =
          measured.stream().mapToDouble(each -> each.getOrDefault(round, Double.NaN)).toArray();
      if (DoubleStream.of(values).allMatch(Double::isFinite)) {
        points.add(Point.of(round, Spread.overSeeds(values).mean()));
      }
    }
    return points;
  }

  /** Accuracy over model bytes sent per peer so far; empty where traffic was not recorded. */
  List<Point> accuracyByBytes() {
    double peers = first().peers();
    List<Point> points = new ArrayList<>();
    for (List<RoundRow> rows : commonRounds().values()) {
      Point point = Point.of(mean(rows, RoundRow::modelBytes) / peers, mean(rows, RoundRow::mean));
      if (Double.isFinite(point.x()) && Double.isFinite(point.y())) {
        points.add(point);
      }
    }
    return points;
  }

  private static double mean(List<RoundRow> rows, ToDoubleFunction<RoundRow> measure) {
    return spread(rows, measure).mean();
  }

  private static Spread spread(List<RoundRow> rows, ToDoubleFunction<RoundRow> measure) {
    return Spread.overSeeds(rows.stream().mapToDouble(measure).toArray());
  }

  /** Accuracies of all peers at the last round, all seeds together. */
  List<Double> lastAccuracies() {
    return runs.stream().flatMap(run -> run.lastByPeer().values().stream()).toList();
  }
}
