package io.kindred.runtime.metrics;

import io.kindred.core.weights.Ints;
import io.kindred.learning.partition.SampleTransformation;
import io.kindred.learning.training.PeerDatasets;
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
public record ClusterMetrics(
    int inUse,
    Optional<Double> accuracy,
    Optional<Double> samples,
    Optional<List<Double>> consensus) {
  /** More planted clusters than this are not matched. */
  private static final int MOST_TRUE_CLUSTERS = 16;

  public static Optional<ClusterMetrics> of(
      SortedMap<Long, Integer> found, PeerDatasets datasets, PendingMetrics told) {
    if (found.isEmpty()) {
      return Optional.empty();
    }
    int[] clusters = found.values().stream().mapToInt(Integer::intValue).toArray();
    int inUse = new TreeSet<>(found.values()).size();
    Optional<SampleTransformation> known =
        datasets.transformation().filter(truth -> truth.clusterCount() <= MOST_TRUE_CLUSTERS);
    return Optional.of(
        new ClusterMetrics(
            inUse,
            known.map(truth -> bestMatchingShare(clusters, trueCluster(truth, datasets, found))),
            known.flatMap(truth -> samples(truth, datasets, told.sampleClusters())),
            told.consensus().distances(datasets.splits().size())));
  }

  private static int[] trueCluster(
      SampleTransformation truth, PeerDatasets datasets, SortedMap<Long, Integer> found) {
    return found.keySet().stream()
        .mapToInt(peer -> trueCluster(truth, datasets, Math.toIntExact(peer)))
        .toArray();
  }

  /** Nothing unless everybody was heard. */
  private static Optional<Double> samples(
      SampleTransformation truth, PeerDatasets datasets, SortedMap<Long, Ints> sorted) {
    if (sorted.size() < datasets.splits().size()) {
      return Optional.empty();
    }
    int[] found =
        sorted.values().stream().flatMapToInt(each -> Arrays.stream(each.shared())).toArray();
    int[] planted =
        sorted.keySet().stream()
            .map(peer -> datasets.splits().get(Math.toIntExact(peer)).train())
            .flatMapToInt(share -> Arrays.stream(share.shared()))
            .map(sample -> truth.trueClusters().get(sample))
            .toArray();
    return Optional.of(bestMatchingShare(found, planted));
  }

  /** The cluster of most training samples of a peer. */
  public static int trueCluster(SampleTransformation truth, PeerDatasets datasets, int peer) {
    Ints counts = truth.countByCluster(datasets.splits().get(peer).train());
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
  static double bestMatchingShare(int[] found, int[] planted) {
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
