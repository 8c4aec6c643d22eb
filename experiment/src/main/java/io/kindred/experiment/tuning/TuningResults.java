package io.kindred.experiment.tuning;

import io.kindred.experiment.GridRun;
import io.kindred.experiment.tuning.TuningPlan.MethodTries;
import io.kindred.report.table.Cell;
import io.kindred.report.table.Column;
import io.kindred.report.table.Table;
import io.kindred.runtime.config.GridCell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The scores of all tries, and the try that each method is best with. */
public record TuningResults(List<MethodResult> methods) {
  /** The tries of one method with their scores. */
  public record MethodResult(String method, List<ScoredTry> tries) {
    public MethodResult {
      tries = List.copyOf(tries);
    }

    /** The try with the settings of the file. */
    public ScoredTry first() {
      return tries.getFirst();
    }

    /** The try with the highest score, of equal scores the earliest; empty if all tries failed. */
    public Optional<ScoredTry> best() {
      Optional<ScoredTry> best = Optional.empty();
      for (ScoredTry each : tries) {
        double bar = best.map(ScoredTry::score).orElse(Double.NEGATIVE_INFINITY);
        // A failed try has no score, and no comparison with NaN holds.
        if (each.score() > bar) {
          best = Optional.of(each);
        }
      }
      return best;
    }

    /** How many tries failed under any seed. */
    public int failed() {
      return (int) tries.stream().filter(each -> Double.isNaN(each.score())).count();
    }
  }

  /** A try and its scores under all seeds. */
  public record ScoredTry(Try tried, List<TryScore> scores) {
    public ScoredTry {
      scores = List.copyOf(scores);
    }

    /** The mean over seeds; NaN if the try failed under any seed. */
    public double score() {
      return scores.stream().mapToDouble(TryScore::score).sum() / scores.size();
    }
  }

  public TuningResults {
    methods = List.copyOf(methods);
  }

  /**
   * Reads the scores from the run folders.
   *
   * @param cells the cells of the plan
   */
  public static TuningResults of(TuningPlan plan, List<GridCell> cells, GridRun.Results results)
      throws IOException {
    SortedMap<String, String> failures = new TreeMap<>();
    results.failed().forEach(each -> failures.put(each.cell().folderName(), each.reason()));
    SortedMap<String, Path> finished = new TreeMap<>();
    results.completed().forEach(each -> finished.put(each.cell().folderName(), each.folder()));
    List<MethodResult> methods = new ArrayList<>();
    int next = 0;
    for (MethodTries method : plan.methods()) {
      List<ScoredTry> tries = new ArrayList<>();
      for (Try each : method.tries()) {
        List<TryScore> scores = new ArrayList<>();
        for (long seed : plan.seeds()) {
          String run = cells.get(next++).folderName();
          Path done = finished.get(run);
          scores.add(
              done != null
                  ? TryScore.of(each, seed, done)
                  : TryScore.failed(each, seed, run, failures.getOrDefault(run, "not finished")));
        }
        tries.add(new ScoredTry(each, scores));
      }
      methods.add(new MethodResult(method.method(), tries));
    }
    return new TuningResults(methods);
  }

  /** Every score, in the order of the tries. */
  public List<TryScore> scores() {
    return methods.stream()
        .flatMap(method -> method.tries().stream())
        .flatMap(each -> each.scores().stream())
        .toList();
  }

  /** The best try of each method that has one. */
  public List<Try> chosen() {
    return methods.stream()
        .flatMap(method -> method.best().stream())
        .map(ScoredTry::tried)
        .toList();
  }

  /** The record of all tries, for {@code tries.csv}. */
  public String csv() {
    List<Column> columns =
        List.of(
            Column.words("method"),
            Column.numbers("try", 0, Column.Best.NONE),
            Column.words("settings"),
            Column.words("seed"),
            Column.numbers("score", 4, Column.Best.NONE),
            Column.numbers("standardError", 4, Column.Best.NONE),
            Column.words("run"),
            Column.words("failure"));
    List<List<Cell>> rows = new ArrayList<>();
    for (TryScore each : scores()) {
      rows.add(
          List.of(
              Cell.of(each.tried().method()),
              Cell.of(each.tried().number()),
              Cell.of(each.tried().assignments()),
              Cell.of(Long.toString(each.seed())),
              Cell.of(each.score()),
              Cell.of(each.standardError()),
              Cell.of(each.run()),
              Cell.of(each.failure())));
    }
    return new Table("tries", columns, rows).csv();
  }

  /** One row per method: how many tries, and what the best of them brings. */
  public Table table() {
    List<Column> columns =
        List.of(
            Column.words("method"),
            Column.numbers("tries", 0, Column.Best.NONE),
            Column.numbers("failed", 0, Column.Best.NONE),
            Column.percent("default %", Column.Best.NONE),
            Column.percent("best %", Column.Best.NONE),
            Column.numbers("try", 0, Column.Best.NONE),
            Column.words("chosen settings"));
    List<List<Cell>> rows = new ArrayList<>();
    for (MethodResult each : methods) {
      Optional<ScoredTry> best = each.best();
      rows.add(
          List.of(
              Cell.of(each.method()),
              Cell.of(each.tries().size()),
              Cell.of(each.failed()),
              Cell.of(each.first().score()),
              Cell.of(best.map(ScoredTry::score).orElse(Double.NaN)),
              Cell.of(best.map(found -> (double) found.tried().number()).orElse(Double.NaN)),
              Cell.of(best.map(found -> found.tried().shortText()).orElse(""))));
    }
    return new Table("accuracy on validation samples", columns, rows);
  }
}
