package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.overlay.SearchMessage.ScoredCluster;
import io.kindred.protocol.signature.Signature;
import io.kindred.protocol.signature.SignatureScorer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** How similar clusters are to a query, and which of their replicas it goes to. Pure functions. */
public final class ClusterScores {
  private ClusterScores() {}

  /**
   * Whether a signature is of a model of the same dimension as the peer's own. Others cannot be
   * compared with it, and the attempt could take any amount of memory.
   */
  public static boolean isComparable(Optional<Signature> own, Signature other) {
    return own.filter(mine -> mine.dimension() == other.dimension()).isPresent();
  }

  public static boolean areComparable(Optional<Signature> own, List<ClusterDescriptor> clusters) {
    return clusters.stream().allMatch(each -> isComparable(own, each.prototype()));
  }

  /** The replica to ask: this peer if it is one, else the one that the query's id selects. */
  public static PeerId pickReplica(PeerId self, List<PeerId> replicas, QueryId id) {
    return replicas.get(firstReplica(self, replicas, id));
  }

  private static int firstReplica(PeerId self, List<PeerId> replicas, QueryId id) {
    int own = replicas.indexOf(self);
    return own < 0 ? id.replicaIndex(replicas.size()) : own;
  }

  /** The replica after one that could not be reached; empty where all were tried. */
  public static Optional<PeerId> nextReplica(
      PeerId self, List<PeerId> replicas, PeerId failed, QueryId id) {
    int next = (replicas.indexOf(failed) + 1) % replicas.size();
    return next == firstReplica(self, replicas, id)
        ? Optional.empty()
        : Optional.of(replicas.get(next));
  }

  /** Clusters by the similarity of their prototypes, the most similar first, ties by cluster. */
  public static List<ScoredCluster> score(Signature signature, List<ClusterDescriptor> clusters) {
    List<ClusterDescriptor> comparable =
        clusters.stream()
            .filter(each -> each.prototype().dimension() == signature.dimension())
            .toList();
    double[] cosines =
        new SignatureScorer(signature.dimension())
            .cosines(signature, comparable.stream().map(ClusterDescriptor::prototype).toList());
    List<ScoredCluster> scoredClusters = new ArrayList<>();
    for (int i = 0; i < cosines.length; i++) {
      ClusterDescriptor each = comparable.get(i);
      scoredClusters.add(new ScoredCluster(each.id(), each.replicas(), (float) cosines[i]));
    }
    scoredClusters.sort(
        Comparator.comparingDouble(ScoredCluster::similarity)
            .reversed()
            .thenComparing(ScoredCluster::cluster));
    return scoredClusters;
  }

  /** The clusters in which a query can find a peer: not one of the asking peer alone. */
  public static List<ClusterDescriptor> withoutAsker(List<ClusterDescriptor> clusters, QueryId id) {
    return clusters.stream()
        .filter(
            each ->
                each.zone().level() > 1 || each.size() > 1 || !each.exemplar().equals(id.peer()))
        .toList();
  }

  public static int countPassing(List<ScoredCluster> scoredClusters, double threshold) {
    int count = 0;
    for (ScoredCluster each : scoredClusters) {
      count += each.similarity() >= threshold ? 1 : 0;
    }
    return count;
  }

  /**
   * The best of the clusters that pass; where none passes the best of all, so that a descent never
   * stops short.
   */
  public static List<ScoredCluster> selectBest(
      List<ScoredCluster> sorted, double threshold, int most) {
    int passing = countPassing(sorted, threshold);
    return List.copyOf(sorted.subList(0, Math.min(most, passing == 0 ? sorted.size() : passing)));
  }

  public static SortedMap<ClusterId, ScoredCluster> byCluster(List<ScoredCluster> scoredClusters) {
    SortedMap<ClusterId, ScoredCluster> map = new TreeMap<>();
    scoredClusters.forEach(each -> map.put(each.cluster(), each));
    return map;
  }
}
