package io.kindred.report;

import io.kindred.report.run.RunProgress;
import io.kindred.report.run.RunRecord;
import io.kindred.report.table.Cell;
import io.kindred.report.table.Column;
import io.kindred.report.table.Column.Best;
import io.kindred.report.table.Spread;
import io.kindred.report.table.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Compares methods, one row each, averaged over seeds.
 *
 * @param requestedTargets mean accuracies whose cost the table shows; if empty, the targets that
 *     the runs report
 */
public record Comparison(List<MethodRuns> methods, List<Double> requestedTargets) {
  /** The key of a method's {@link PairedDifference} in JSON output. */
  public static final String AGAINST_BEST = "againstBest";

  /** The columns of the measures beside accuracy, by their names in the files of a run. */
  private static final SequencedMap<String, Column> MEASURES = new LinkedHashMap<>();

  static {
    MEASURES.put("balancedAccuracy", Column.percent("balanced %", Best.HIGHEST));
    MEASURES.put("macroF1", Column.percent("macro F1 %", Best.HIGHEST));
    MEASURES.put("auc", Column.percent("AUC %", Best.HIGHEST));
    MEASURES.put("mae", Column.numbers("MAE", 3, Best.LOWEST));
    MEASURES.put("rmse", Column.numbers("RMSE", 3, Best.LOWEST));
    MEASURES.put("globalMae", Column.numbers("global MAE", 3, Best.LOWEST));
    MEASURES.put("globalRmse", Column.numbers("global RMSE", 3, Best.LOWEST));
  }

  private record ColumnSource(Column column, Function<MethodRuns, Cell> cell) {}

  public Comparison {
    methods = List.copyOf(methods);
    requestedTargets = List.copyOf(requestedTargets);
  }

  /** Groups runs that differ only by seed; methods keep the order in which they first appear. */
  public static Comparison of(List<RunRecord> runs, List<Double> asked) {
    return new Comparison(RunGrouping.of(runs), asked);
  }

  /** With the targets that the runs report. */
  public static Comparison of(List<RunRecord> runs) {
    return of(runs, List.of());
  }

  /** Whether all methods solve the same task, so that accuracies may be ranked. */
  public boolean comparable() {
    return methods.stream().map(MethodRuns::task).distinct().count() <= 1;
  }

  /** The table; columns that no method fills are left out, single missing values show a dash. */
  public Table table() {
    List<String> level = comparable() ? Bootstrap.tiedWithBest(methods) : List.of();
    List<ColumnSource> columnSources = resultColumns(level);
    columnSources.addAll(costColumns());
    return table(columnSources, new DetectableDifferences(differences()).lines());
  }

  /**
   * How every other method differs from the best one, peer by peer; empty if the methods solve
   * different tasks.
   */
  public List<PairedDifference> differences() {
    if (!comparable()) {
      return List.of();
    }
    return Bootstrap.best(methods).stream()
        .flatMap(
            best ->
                methods.stream()
                    .filter(method -> !method.name().equals(best.name()))
                    .flatMap(method -> PairedDifference.of(method, best).stream()))
        .toList();
  }

  /** The rows of the table for JSON, each with its difference from the best method. */
  public List<SequencedMap<String, Object>> mappings() {
    List<SequencedMap<String, Object>> mappings = table().mappings();
    List<String> names = methods.stream().map(MethodRuns::name).toList();
    for (PairedDifference pair : differences()) {
      mappings.get(names.indexOf(pair.method())).put(AGAINST_BEST, pair.mapping());
    }
    return mappings;
  }

  /** The same table as two, for a page, which is narrower: results and costs. */
  List<Table> tables() {
    List<String> level = comparable() ? Bootstrap.tiedWithBest(methods) : List.of();
    List<ColumnSource> costs = costColumns();
    costs.addFirst(nameColumn());
    return List.of(
        table(resultColumns(level), new DetectableDifferences(differences()).lines()),
        table(costs, List.of()));
  }

  private Table table(List<ColumnSource> columnSources, List<String> remarks) {
    List<ColumnSource> kept = new ArrayList<>();
    for (ColumnSource columnSource : columnSources) {
      boolean known =
          methods.stream().anyMatch(m -> !(columnSource.cell().apply(m) instanceof Cell.Absent));
      boolean expected =
          columnSource.column().header().startsWith("accuracy")
              && extraMetrics().isEmpty()
              && methods.stream().noneMatch(method -> absoluteError(method).present());
      if (known || expected) {
        kept.add(columnSource);
      }
    }
    List<List<Cell>> rows = new ArrayList<>();
    for (MethodRuns method : methods) {
      rows.add(kept.stream().map(entry -> entry.cell().apply(method)).toList());
    }
    List<Column> columns =
        kept.stream().map(e -> comparable() ? e.column() : e.column().unranked()).toList();
    return new Table("", columns, rows, note(), remarks);
  }

  /** The mean over peers of the mean absolute error; absent for a classification. */
  static Spread absoluteError(MethodRuns method) {
    return overSummary("extra.mae").apply(method);
  }

  private String note() {
    int seeds = methods.stream().mapToInt(method -> method.runs().size()).max().orElse(0);
    return "not clearly below the best: the difference may be chance (95% bootstrap interval, "
        + (seeds > 1
            ? "clustered by seed: " + seeds + " seeds, then their peers)"
            : "over peers; one seed says nothing about other seeds)");
  }

  private static ColumnSource nameColumn() {
    return new ColumnSource(Column.words("method"), method -> Cell.of(rowName(method)));
  }

  private List<ColumnSource> resultColumns(List<String> tied) {
    List<ColumnSource> columnSources = new ArrayList<>(List.of(nameColumn()));
    if (methods.stream().anyMatch(m -> m.runs().size() > 1)) {
      Column seeds = Column.numbers("seeds", 0, Best.NONE);
      columnSources.add(new ColumnSource(seeds, m -> Cell.of(m.runs().size())));
    }
    Column accuracy = Column.percent("accuracy %", Best.HIGHEST);
    columnSources.add(
        new ColumnSource(accuracy, m -> Cell.of(m.accuracy(), tied.contains(m.name()))));
    // Not ranked: the lowest deviation would also mark peers that are all equally bad.
    add(columnSources, Column.percent("std %", Best.NONE), MethodRuns::peerDeviation);
    add(columnSources, Column.percent("p10 %", Best.HIGHEST), MethodRuns::tenthPercentile);
    addMeasures(columnSources);
    add(columnSources, Column.percent("trained %", Best.HIGHEST), MethodRuns::afterTraining);
    add(columnSources, Column.percent("global %", Best.HIGHEST), MethodRuns::globalAccuracy);
    add(
        columnSources,
        Column.percent("clusters %", Best.HIGHEST),
        overSummary("clusters.accuracy"));
    add(columnSources, Column.percent("samples %", Best.HIGHEST), overSummary("clusters.samples"));
    add(columnSources, Column.percent("purity %", Best.HIGHEST), overSummary("extra.purity"));
    add(columnSources, Column.percent("back door %", Best.LOWEST), overSummary("extra.backDoor"));
    add(columnSources, Column.numbers("in use", 1, Best.NONE), overSummary("clusters.inUse"));
    for (String figure : extraMetrics()) {
      add(columnSources, Column.numbers(figure, 2, Best.NONE), overSummary("extra." + figure));
    }
    return columnSources;
  }

  /** Means over peers of the measures beside accuracy. */
  private static void addMeasures(List<ColumnSource> columnSources) {
    MEASURES.forEach((name, column) -> add(columnSources, column, overSummary("extra." + name)));
  }

  /**
   * The measures twice: as means over peers, which count every peer alike, and over the test
   * samples of all peers together, which count every sample alike.
   */
  Table measures() {
    List<ColumnSource> columnSources = new ArrayList<>(List.of(nameColumn()));
    add(columnSources, Column.percent("accuracy %", Best.HIGHEST), MethodRuns::accuracy);
    addMeasures(columnSources);
    add(
        columnSources,
        Column.percent("all: accuracy %", Best.HIGHEST),
        overSummary("overall.accuracy"));
    MEASURES.forEach(
        (name, column) ->
            add(
                columnSources,
                new Column(
                    "all: " + column.header(),
                    column.align(),
                    column.scale(),
                    column.decimals(),
                    column.best()),
                overSummary("overall." + name)));
    return table(columnSources, List.of());
  }

  private List<ColumnSource> costColumns() {
    List<ColumnSource> columnSources = new ArrayList<>();
    addTargets(columnSources);
    add(columnSources, scaled("models/round", 1, 1), MethodRuns::modelsPerPeerAndRound);
    add(columnSources, scaled("MB/round", 1e-6, 3), MethodRuns::bytesPerPeerAndRound);
    add(columnSources, scaled("epochs/round", 1, 2), overSummary("compute.epochs"));
    add(columnSources, scaled("models held", 1, 0), overSummary("compute.modelsHeld"));
    add(columnSources, scaled("virtual s", 1, 1), MethodRuns::virtualSeconds);
    add(columnSources, scaled("wall s", 1, 1), MethodRuns::wallSeconds);
    return columnSources;
  }

  private static void add(
      List<ColumnSource> columnSources, Column column, Function<MethodRuns, Spread> measure) {
    columnSources.add(new ColumnSource(column, method -> Cell.of(measure.apply(method))));
  }

  private static Function<MethodRuns, Spread> overSummary(String path) {
    return method -> method.spreadOver(run -> run.summary().number(path));
  }

  private static Column scaled(String header, double scale, int decimals) {
    return new Column(header, Column.Align.RIGHT, scale, decimals, Best.NONE);
  }

  private static String rowName(MethodRuns method) {
    if (method.finished()) {
      return method.name();
    }
    RunRecord slowest =
        method.runs().stream()
            .filter(run -> !run.finished())
            .min(Comparator.comparingInt(RunRecord::lastRound))
            .orElseThrow();
    String reached =
        slowest.progress().map(RunProgress::text).orElse("round " + slowest.lastRound());
    return method.name() + " (unfinished, " + reached + ")";
  }

  /** Other metrics of the summaries; only for tasks without accuracies, such as regression. */
  private SortedSet<String> extraMetrics() {
    SortedSet<String> figures = new TreeSet<>();
    if (methods.stream().allMatch(m -> m.accuracy().count() + m.globalAccuracy().count() == 0)) {
      for (MethodRuns method : methods) {
        method.runs().forEach(run -> figures.addAll(run.summary().numbersUnder("extra").keySet()));
      }
      figures.removeAll(MEASURES.keySet());
    }
    return figures;
  }

  /**
   * Rounds to every target, but seconds only to the highest, because the table must fit a screen.
   */
  private void addTargets(List<ColumnSource> columnSources) {
    SortedSet<Double> targets = targets();
    for (double target : targets) {
      columnSources.add(
          new ColumnSource(
              Column.numbers("to " + percent(target), 0, Best.LOWEST),
              method -> toTarget(method, run -> run.roundsToTarget(target))));
    }
    if (!targets.isEmpty()) {
      double highest = targets.last();
      columnSources.add(
          new ColumnSource(
              Column.numbers("virtual s to " + percent(highest), 1, Best.NONE),
              method -> toTarget(method, run -> run.secondsToTarget(highest))));
    }
  }

  private SortedSet<Double> targets() {
    SortedSet<Double> targets = new TreeSet<>(requestedTargets);
    if (targets.isEmpty()) {
      methods.stream()
          .flatMap(method -> method.runs().stream())
          .forEach(run -> targets.addAll(run.reportedTargets()));
    }
    return targets;
  }

  private static String percent(double target) {
    return Column.percent("", Best.NONE).print(target).replaceAll("\\.0$", "") + " %";
  }

  /**
   * A mean over only the seeds that reached the target would be too good; the cell then counts
   * those seeds instead.
   */
  private static Cell toTarget(MethodRuns method, ToDoubleFunction<RunRecord> measure) {
    Spread reached = method.spreadOver(measure);
    int runs = method.runs().size();
    return reached.count() == 0 || reached.count() == runs
        ? Cell.of(reached)
        : Cell.of(reached.count() + " of " + runs + " seeds");
  }
}
