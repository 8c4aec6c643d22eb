package io.kindred.lab.run;

import io.kindred.core.weights.Ints;
import io.kindred.learning.partition.Variation;
import io.kindred.learning.training.Holdings;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * What came of clusters.
 *
 * @param inUse how many of them some peer is in
 * @param accuracy share of the peers in the cluster that was planted for most of their samples,
 *     under the best matching of found clusters to planted ones; absent where none were planted
 * @param samples share of the training samples that their peers have put where they were planted,
 *     under the best matching; absent for methods that leave samples together
 * @param consensus mean squared distance of the peers' models to their mean, cluster by cluster
 */
public record ClusterFigures(
    int inUse,
    Optional<Double> accuracy,
    Optional<Double> samples,
    Optional<List<Double>> consensus) {
  /** More planted clusters than this are not matched. */
  private static final int MOST = 16;

  static Optional<ClusterFigures> of(
      SortedMap<Long, Integer> found, Holdings holdings, Unwritten told) {
    if (found.isEmpty()) {
      return Optional.empty();
    }
    int[] clusters = found.values().stream().mapToInt(Integer::intValue).toArray();
    int inUse = new TreeSet<>(found.values()).size();
    Optional<Variation> known = holdings.variation().filter(truth -> truth.clusterCount() <= MOST);
    return Optional.of(
        new ClusterFigures(
            inUse,
            known.map(truth -> matched(clusters, planted(truth, holdings, found))),
            known.flatMap(truth -> samples(truth, holdings, told.sorted())),
            told.consensus().distances(holdings.peers().size())));
  }

  private static int[] planted(Variation truth, Holdings holdings, SortedMap<Long, Integer> found) {
    return found.keySet().stream()
        .mapToInt(peer -> planted(truth, holdings, Math.toIntExact(peer)))
        .toArray();
  }

  /** Nothing unless everybody was heard. */
  private static Optional<Double> samples(
      Variation truth, Holdings holdings, SortedMap<Long, Ints> sorted) {
    if (sorted.size() < holdings.peers().size()) {
      return Optional.empty();
    }
    int[] found =
        sorted.values().stream().flatMapToInt(each -> Arrays.stream(each.shared())).toArray();
    int[] planted =
        sorted.keySet().stream()
            .map(peer -> holdings.peers().get(Math.toIntExact(peer)).train())
            .flatMapToInt(share -> Arrays.stream(share.shared()))
            .map(sample -> truth.clusters().get(sample))
            .toArray();
    return Optional.of(matched(found, planted));
  }

  /** The cluster of most training samples of a peer. */
  static int planted(Variation truth, Holdings holdings, int peer) {
    Ints counts = truth.clustersOf(holdings.peers().get(peer).train());
    int most = 0;
    for (int cluster = 1; cluster < counts.size(); cluster++) {
      most = counts.get(cluster) > counts.get(most) ? cluster : most;
    }
    return most;
  }

  /**
   * The share of pairs that agree under the best one-to-one matching, by going through the found
   * clusters with every set of planted ones that may be taken already.
   */
  static double matched(int[] found, int[] planted) {
    int columns = 1 + Arrays.stream(planted).max().orElse(0);
    int rows = 1 + Arrays.stream(found).max().orElse(0);
    int[][] together = new int[rows][columns];
    for (int i = 0; i < found.length; i++) {
      together[found[i]][planted[i]]++;
    }
    int[] best = new int[1 << columns];
    for (int[] row : together) {
      int[] next = best.clone();
      for (int taken = 0; taken < best.length; taken++) {
        for (int column = 0; column < columns; column++) {
          int with = taken | 1 << column;
          if (with != taken) {
            next[with] = Math.max(next[with], best[taken] + row[column]);
          }
        }
      }
      best = next;
    }
    return Arrays.stream(best).max().orElse(0) / (double) found.length;
  }
}
