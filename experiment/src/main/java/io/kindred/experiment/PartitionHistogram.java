package io.kindred.experiment;

import io.kindred.core.weights.Ints;
import io.kindred.learning.data.DataFiles;
import io.kindred.learning.partition.Holdout;
import io.kindred.learning.training.PeerDatasets;
import io.kindred.report.plot.HeatMap;
import io.kindred.report.table.Cell;
import io.kindred.report.table.Column;
import io.kindred.report.table.Table;
import io.kindred.runtime.PeerAssembler;
import io.kindred.runtime.config.Experiment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Counts each peer's samples by label and, where the true clusters are known, by true cluster. */
public record PartitionHistogram(
    String dataset, int rows, List<String> classes, List<PeerCounts> peers) {
  private static final double WIDTH = 560;

  /**
   * Samples of one peer, held-out samples included; {@code clusters} is empty if clusters are
   * unknown.
   */
  public record PeerCounts(int peer, int samples, List<Integer> labels, List<Integer> clusters) {
    public PeerCounts {
      labels = List.copyOf(labels);
      clusters = List.copyOf(clusters);
    }
  }

  public PartitionHistogram {
    classes = List.copyOf(classes);
    peers = List.copyOf(peers);
  }

  /** Loads and partitions the data exactly as a run of this experiment does. */
  public static PartitionHistogram of(Experiment experiment, DataFiles files) {
    return of(PeerAssembler.peerDatasets(experiment, files));
  }

  static PartitionHistogram of(PeerDatasets datasets) {
    Ints labels = datasets.dataset().train().labels();
    List<PeerCounts> peerCounts = new ArrayList<>();
    for (Holdout.PeerSplit split : datasets.splits()) {
      Ints share = allSamples(split);
      int[] counts = new int[datasets.dataset().classes()];
      Arrays.stream(share.copy()).forEach(row -> counts[labels.get(row)]++);
      List<Integer> clusters =
          datasets
              .transformation()
              .map(each -> boxed(each.countByCluster(share).copy()))
              .orElse(List.of());
      peerCounts.add(new PeerCounts(peerCounts.size(), share.size(), boxed(counts), clusters));
    }
    return new PartitionHistogram(
        datasets.dataset().name(),
        labels.size(),
        IntStream.range(0, datasets.dataset().classes())
            .mapToObj(datasets.dataset()::className)
            .toList(),
        peerCounts);
  }

  private static Ints allSamples(Holdout.PeerSplit split) {
    return Ints.wrap(
        Stream.of(split.train(), split.validation(), split.test())
            .flatMapToInt(part -> Arrays.stream(part.copy()))
            .distinct()
            .toArray());
  }

  private static List<Integer> boxed(int[] values) {
    return Arrays.stream(values).boxed().toList();
  }

  /** One row per peer. */
  public Table table() {
    List<Column> columns = new ArrayList<>();
    columns.add(Column.numbers("peer", 0, Column.Best.NONE));
    columns.add(Column.numbers("samples", 0, Column.Best.NONE));
    classes.forEach(each -> columns.add(Column.numbers(each, 0, Column.Best.NONE)));
    clusters().forEach(each -> columns.add(Column.numbers("cluster " + each, 0, Column.Best.NONE)));
    List<List<Cell>> rows = new ArrayList<>();
    for (PeerCounts peerCounts : peers) {
      List<Cell> row = new ArrayList<>();
      row.add(Cell.of(peerCounts.peer()));
      row.add(Cell.of(peerCounts.samples()));
      peerCounts.labels().forEach(count -> row.add(Cell.of(count)));
      peerCounts.clusters().forEach(count -> row.add(Cell.of(count)));
      rows.add(row);
    }
    return new Table("", columns, rows);
  }

  private List<String> clusters() {
    return IntStream.range(0, peers.getFirst().clusters().size())
        .mapToObj(Integer::toString)
        .toList();
  }

  /** Sample counts and classes in one line. */
  public String summary() {
    IntSummaryStatistics sizes = peers.stream().mapToInt(PeerCounts::samples).summaryStatistics();
    double deviation =
        Math.sqrt(
            peers.stream()
                .mapToDouble(PeerCounts::samples)
                .map(size -> (size - sizes.getAverage()) * (size - sizes.getAverage()))
                .average()
                .orElse(0));
    double classes =
        peers.stream()
            .mapToLong(
                peerCounts -> peerCounts.labels().stream().filter(count -> count > 0).count())
            .average()
            .orElse(0);
    return String.format(
        Locale.ROOT,
        "%s: %d of %d samples given to %d peers, %d to %d each (mean %.1f, deviation %.1f),"
            + " %.1f classes per peer",
        dataset,
        sizes.getSum(),
        rows,
        peers.size(),
        sizes.getMin(),
        sizes.getMax(),
        sizes.getAverage(),
        deviation,
        classes);
  }

  public boolean hasClusters() {
    return !peers.getFirst().clusters().isEmpty();
  }

  /** A heat map of peers by labels; darker means more samples. */
  public String labelMap(String title) {
    return map(title, "class", classes, peers.stream().map(PeerCounts::labels).toList());
  }

  /** A heat map of peers by true clusters. */
  public String clusterMap(String title) {
    return map(
        title, "true cluster", clusters(), peers.stream().map(PeerCounts::clusters).toList());
  }

  private static String map(
      String title, String columnLabel, List<String> columnNames, List<List<Integer>> counts) {
    List<HeatMap.Row> rows = new ArrayList<>();
    for (List<Integer> row : counts) {
      rows.add(
          new HeatMap.Row(
              Integer.toString(rows.size()), row.stream().map(Integer::doubleValue).toList()));
    }
    return new HeatMap(title, "peer", columnLabel, columnNames, rows, WIDTH).svg();
  }
}
