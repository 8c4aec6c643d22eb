package io.kindred.protocol.clustering;

import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Ints;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Limits clusters of clusters: at most {@code maxClusterSize} members each, and at most half as
 * many clusters as members. Without the first limit a super-peer's work would have no bound,
 * without the second a hierarchy's depth would have none.
 */
final class FanOut {
  private final int size;
  private final Floats similarities;
  private final int maxClusterSize;

  FanOut(int size, Floats similarities, int maxClusterSize) {
    if (maxClusterSize < 2) {
      throw new IllegalArgumentException(
          "clusters of at most "
              + maxClusterSize
              + " members cannot be split into smaller ones; the limit must be at least 2");
    }
    this.size = size;
    this.similarities = similarities;
    this.maxClusterSize = maxClusterSize;
  }

  ExemplarClustering limit(ExemplarClustering found) {
    List<List<Integer>> groups = new ArrayList<>();
    if (size > 2 && 2 * found.count() > size + 1) {
      List<Integer> all = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        all.add(i);
      }
      split(all, mostCentral(all), groups);
    } else {
      for (int cluster = 0; cluster < found.count(); cluster++) {
        split(found.members(cluster), found.exemplars().get(cluster), groups);
      }
    }
    return relabel(groups, found);
  }

  /**
   * Splits members into pieces of nearly equal size: those nearest to the centre first, then around
   * the next centre.
   */
  private void split(List<Integer> members, int exemplar, List<List<Integer>> groups) {
    List<Integer> left = new ArrayList<>(members);
    int centre = exemplar;
    while (!left.isEmpty()) {
      int around = centre;
      left.sort(
          Comparator.<Integer>comparingDouble(
                  each -> each == around ? -2 : -similarity(each, around))
              .thenComparing(Comparator.naturalOrder()));
      int pieces = Math.ceilDiv(left.size(), maxClusterSize);
      List<Integer> piece = left.subList(0, Math.ceilDiv(left.size(), pieces));
      groups.add(List.copyOf(piece));
      piece.clear();
      centre = left.isEmpty() ? centre : mostCentral(left);
    }
  }

  private float similarity(int one, int other) {
    return similarities.get(one * size + other);
  }

  private int mostCentral(List<Integer> members) {
    int best = members.getFirst();
    double most = Double.NEGATIVE_INFINITY;
    for (int candidate : members) {
      double sum = 0;
      for (int member : members) {
        sum += member == candidate ? 0 : similarity(member, candidate);
      }
      if (sum > most || (sum == most && candidate < best)) {
        most = sum;
        best = candidate;
      }
    }
    return best;
  }

  /** The first of each group is its exemplar. */
  private ExemplarClustering relabel(List<List<Integer>> groups, ExemplarClustering found) {
    int[] exemplars = groups.stream().mapToInt(List::getFirst).sorted().toArray();
    int[] labels = new int[size];
    for (List<Integer> group : groups) {
      int label = Arrays.binarySearch(exemplars, group.getFirst());
      group.forEach(member -> labels[member] = label);
    }
    return new ExemplarClustering(
        Ints.wrap(exemplars), Ints.wrap(labels), found.converged(), found.iterations());
  }
}
