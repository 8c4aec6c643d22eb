package io.kindred.report;

import io.kindred.report.run.RunRecord;
import io.kindred.report.table.Cell;
import io.kindred.report.table.Column;
import io.kindred.report.table.Column.Best;
import io.kindred.report.table.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;

/**
 * Each method beside one of them: accuracy as the mean over the last evaluated rounds, and the
 * paired difference of the same peers under the same seeds with its 95 % interval, clustered by
 * seed.
 *
 * @param against name of the method that the others are compared with
 * @param lastRounds number of rounds that a peer's accuracy is averaged over
 * @param common whether models are compared on the common test set in place of own samples
 */
public record Judgement(List<MethodRuns> methods, String against, int lastRounds, boolean common) {
  /** Differences are shown in percentage points. */
  private static final double POINTS = 100;

  public Judgement {
    methods = List.copyOf(methods);
  }

  private SequencedMap<String, Double> figure(RunRecord run) {
    return run.meanByPeer(lastRounds, common);
  }

  /** One row a method, in their order. */
  public Table table() {
    MethodRuns reference =
        methods.stream().filter(each -> each.name().equals(against)).findFirst().orElseThrow();
    List<List<Cell>> rows = new ArrayList<>();
    for (MethodRuns method : methods) {
      rows.add(row(method, reference));
    }
    return new Table(
        "",
        List.of(
            Column.words("method"),
            Column.numbers("seeds", 0, Best.NONE),
            Column.numbers("peers", 0, Best.NONE),
            Column.percent("accuracy %", Best.NONE),
            difference("difference"),
            difference("from"),
            difference("to")),
        rows,
        "",
        List.of(
            String.format(
                Locale.ROOT,
                "difference from %s in points over the same peers and seeds, with its 95%% bootstrap"
                    + " interval, clustered by seed; accuracy on %s, mean of the last %d evaluated"
                    + " %s",
                against,
                common ? "the common test set" : "own samples",
                lastRounds,
                lastRounds == 1 ? "round" : "rounds")));
  }

  private static Column difference(String header) {
    return new Column(header, Column.Align.RIGHT, POINTS, 1, Best.NONE);
  }

  private List<Cell> row(MethodRuns method, MethodRuns reference) {
    List<Cell> row = new ArrayList<>(List.of(Cell.of(method.name())));
    row.add(Cell.of(method.runs().size()));
    row.add(Cell.of(method.runs().stream().mapToInt(run -> figure(run).size()).sum()));
    row.add(Cell.of(method.spreadOver(this::mean)));
    List<double[]> differences =
        method.name().equals(against)
            ? List.of()
            : Bootstrap.differences(method, reference, this::figure);
    if (differences.isEmpty()) {
      row.addAll(List.of(new Cell.Absent(), new Cell.Absent(), new Cell.Absent()));
      return row;
    }
    Bootstrap.Interval interval = Bootstrap.interval(differences);
    row.add(
        Cell.of(
            differences.stream()
                .mapToDouble(seed -> Arrays.stream(seed).average().orElseThrow())
                .average()
                .orElseThrow()));
    row.add(Cell.of(interval.low()));
    row.add(Cell.of(interval.high()));
    return row;
  }

  private double mean(RunRecord run) {
    return figure(run).values().stream()
        .mapToDouble(Double::doubleValue)
        .average()
        .orElse(Double.NaN);
  }
}
