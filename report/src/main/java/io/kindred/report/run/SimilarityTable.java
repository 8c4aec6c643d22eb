package io.kindred.report.run;

import io.kindred.report.plot.MatrixMap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Similarities of the peers' last models, from {@code similarity.csv}.
 *
 * @param kind source of the clusters: planted, found by the method, or alike (clustered by cosine)
 * @param clusters the cluster of each peer
 * @param cosines row by row
 */
public record SimilarityTable(String kind, List<Integer> clusters, List<double[]> cosines) {
  public SimilarityTable {
    clusters = List.copyOf(clusters);
    cosines = List.copyOf(cosines);
  }

  static SimilarityTable read(Path from) throws IOException {
    PlainCsv file = PlainCsv.read(from);
    List<Integer> clusters = new ArrayList<>();
    List<double[]> cosines = new ArrayList<>();
    if (file.header().size() != file.rows().size() + 2) {
      throw new DamagedRunException(file.file(), 1, "expected a column for each row after two");
    }
    for (int row = 0; row < file.rows().size(); row++) {
      clusters.add((int) file.number(row, 1));
      double[] values = new double[file.rows().size()];
      for (int column = 0; column < values.length; column++) {
        values[column] = file.number(row, column + 2);
      }
      cosines.add(values);
    }
    return new SimilarityTable(file.header().get(1), clusters, cosines);
  }

  /** Peers sorted by cluster number, then by peer number. */
  public List<Integer> order() {
    List<Integer> order = new ArrayList<>();
    for (int peer = 0; peer < clusters.size(); peer++) {
      order.add(peer);
    }
    order.sort(Comparator.comparing(clusters::get));
    return order;
  }

  public MatrixMap.Panel panel(String name) {
    List<Integer> order = order();
    SortedMap<Integer, Integer> sizes = new TreeMap<>();
    clusters.forEach(cluster -> sizes.merge(cluster, 1, Integer::sum));
    List<double[]> rows = new ArrayList<>();
    for (int peer : order) {
      double[] row = cosines.get(peer);
      rows.add(order.stream().mapToDouble(other -> row[other]).toArray());
    }
    return new MatrixMap.Panel(name, rows, List.copyOf(sizes.values()));
  }
}
