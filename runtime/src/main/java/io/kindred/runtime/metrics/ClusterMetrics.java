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
 * Metrics of the clusters that a method found.
 *
 * @param inUse how many clusters have a peer in them
 * @param accuracy share of the peers that are in the true cluster of most of their samples, under
 *     the best matching of found clusters to true ones; absent where the partition has no true
 *     clusters
 * @param samples share of the training samples that their peers put into the true cluster, under
 *     the best matching; absent for methods that do not cluster samples
 * @param consensus mean squared distance of the peers' models to their mean, cluster by cluster
 */
public record ClusterMetrics(
    int inUse,
    Optional<Double> accuracy,
    Optional<Double> samples,
    Optional<List<Double>> consensus) {
  /** More true clusters than this are not matched. */
  private static final int MOST_TRUE_CLUSTERS = 16;

  public static Optional<ClusterMetrics> of(
      SortedMap<Long, Integer> found, PeerDatasets datasets, PendingMetrics pending) {
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
            known.flatMap(truth -> samples(truth, datasets, pending.sampleClusters())),
            pending.consensus().distances(datasets.splits().size())));
  }

  private static int[] trueCluster(
      SampleTransformation truth, PeerDatasets datasets, SortedMap<Long, Integer> found) {
    return found.keySet().stream()
        .mapToInt(peer -> trueCluster(truth, datasets, Math.toIntExact(peer)))
        .toArray();
  }

  /** Empty unless every peer has reported. */
  private static Optional<Double> samples(
      SampleTransformation truth, PeerDatasets datasets, SortedMap<Long, Ints> sampleClusters) {
    if (sampleClusters.size() < datasets.splits().size()) {
      return Optional.empty();
    }
    int[] found =
        sampleClusters.values().stream()
            .flatMapToInt(each -> Arrays.stream(each.shared()))
            .toArray();
    int[] trueClusters =
        sampleClusters.keySet().stream()
            .map(peer -> datasets.splits().get(Math.toIntExact(peer)).train())
            .flatMapToInt(share -> Arrays.stream(share.shared()))
            .map(sample -> truth.trueClusters().get(sample))
            .toArray();
    return Optional.of(bestMatchingShare(found, trueClusters));
  }

  /** The true cluster of most training samples of a peer. */
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
   * clusters with every set of true ones that may be matched already. This is the only assignment
   * problem of the code base, and few columns make the plain solution the shortest.
   */
  static double bestMatchingShare(int[] found, int[] trueClusters) {
    int columns = 1 + Arrays.stream(trueClusters).max().orElse(0);
    int rows = 1 + Arrays.stream(found).max().orElse(0);
    int[][] together = new int[rows][columns];
    for (int i = 0; i < found.length; i++) {
      together[found[i]][trueClusters[i]]++;
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
