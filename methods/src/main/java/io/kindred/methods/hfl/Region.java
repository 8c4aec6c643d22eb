package io.kindred.methods.hfl;

import io.kindred.core.peer.PeerId;
import io.kindred.methods.hfl.FormClusters.ClusterPlan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A region: clusters whose heads send their models to one of them, the leader, instead of the
 * coordinator.
 *
 * @param cycles how often the leader averages in a global round
 * @param cycleSeconds the longest reported time of a cluster from one of these averages to the next
 */
public record Region(PeerId leader, int cycles, double cycleSeconds, List<Part> clusters) {
  /**
   * A cluster of a region.
   *
   * @param share weight of all its members together
   */
  public record Part(int cluster, PeerId head, Optional<PeerId> deputy, double share) {
    boolean isLedBy(PeerId peer) {
      return head.equals(peer) || deputy.equals(Optional.of(peer));
    }
  }

  public Region {
    clusters = List.copyOf(clusters);
  }

  Optional<Part> part(int cluster) {
    return clusters.stream().filter(each -> each.cluster() == cluster).findFirst();
  }

  /**
   * Divides clusters into regions of nearly equal size. The leaders are the heads with the best
   * links to all heads; every other cluster joins, among the regions that have room, the one with
   * the best link between leader and head. A cluster whose head reaches no leader is in no region.
   *
   * @param seconds how long a model takes between the heads of two clusters; infinite without link
   */
  static List<List<Integer>> divide(int count, double[][] seconds) {
    int clusters = seconds.length;
    List<Integer> leaders =
        IntStream.range(0, clusters)
            .boxed()
            .sorted(
                Comparator.comparingLong((Integer head) -> unreachable(seconds[head]))
                    .thenComparingDouble(head -> reachableSeconds(seconds[head])))
            .limit(count)
            .toList();
    int room = (clusters + count - 1) / count;
    List<List<Integer>> regions = new ArrayList<>();
    leaders.forEach(leader -> regions.add(new ArrayList<>(List.of(leader))));
    for (int cluster = 0; cluster < clusters; cluster++) {
      int head = cluster;
      if (!leaders.contains(cluster)) {
        regions.stream()
            .filter(
                region ->
                    region.size() < room
                        && seconds[head][region.getFirst()] < Double.POSITIVE_INFINITY)
            .min(Comparator.comparingDouble(region -> seconds[head][region.getFirst()]))
            .ifPresent(region -> region.add(head));
      }
    }
    return regions.stream().filter(region -> region.size() > 1).toList();
  }

  private static long unreachable(double[] seconds) {
    return IntStream.range(0, seconds.length)
        .filter(other -> seconds[other] == Double.POSITIVE_INFINITY)
        .count();
  }

  private static double reachableSeconds(double[] seconds) {
    return IntStream.range(0, seconds.length)
        .mapToDouble(other -> seconds[other])
        .filter(each -> each < Double.POSITIVE_INFINITY)
        .sum();
  }

  /** The region of these clusters, the first of which is led by the leader. */
  static Region of(List<Integer> clusters, int cycles, List<ClusterPlan> plans) {
    return new Region(
        plans.get(clusters.getFirst()).head(),
        cycles,
        clusters.stream()
            .map(plans::get)
            .mapToDouble(plan -> plan.rounds() * plan.maxRoundSeconds() / cycles)
            .max()
            .orElse(0),
        clusters.stream().sorted().map(cluster -> part(cluster, plans.get(cluster))).toList());
  }

  private static Part part(int cluster, ClusterPlan plan) {
    return new Part(
        cluster,
        plan.head(),
        plan.deputy().map(FormClusters.Deputy::peer),
        plan.members().stream().mapToDouble(FormClusters.Member::share).sum());
  }

  /** Whether so many rounds of a cluster are as many for every cycle. */
  boolean fits(int rounds) {
    return cycles > 0 && rounds % cycles == 0;
  }

  /** How long the leader waits for the other clusters after its own. */
  double leaderSeconds(Hfl method) {
    return method.slowFactor() * cycleSeconds + method.timeout().minSeconds();
  }

  /** How long a head waits for the leader, which may wait for its own cluster and then others. */
  double headSeconds(Hfl method) {
    return 2 * leaderSeconds(method) + cycleSeconds;
  }
}
