package io.kindred.protocol.clustering;

import io.kindred.core.weights.Ints;
import java.util.Arrays;
import java.util.stream.IntStream;

/** Builds clusters from exemplars: each member joins the exemplar it is most similar to. */
final class ExemplarAssignment {
  private final int size;
  private final double[] similarities;

  ExemplarAssignment(int size, double[] similarities) {
    this.size = size;
    this.similarities = similarities;
  }

  /** Assigns members, replaces each cluster's exemplar by its medoid, and assigns once more. */
  ExemplarClustering clusterAround(int[] exemplars, boolean converged, int iterations) {
    int[] choice = assign(exemplars);
    int[] refined = new int[exemplars.length];
    for (int k = 0; k < refined.length; k++) {
      refined[k] = medoid(members(choice, exemplars[k]));
    }
    int[] last = assign(refined);
    int[] used = IntStream.of(last).sorted().distinct().toArray();
    int[] labels = new int[size];
    Arrays.setAll(labels, i -> Arrays.binarySearch(used, last[i]));
    return new ExemplarClustering(Ints.wrap(used), Ints.wrap(labels), converged, iterations);
  }

  /** The exemplar of each member; an exemplar is its own. */
  private int[] assign(int[] exemplars) {
    int[] choice = new int[size];
    for (int member = 0; member < size; member++) {
      int best = exemplars[0];
      for (int exemplar : exemplars) {
        if (similarities[member * size + exemplar] > similarities[member * size + best]) {
          best = exemplar;
        }
      }
      choice[member] = best;
    }
    for (int exemplar : exemplars) {
      choice[exemplar] = exemplar;
    }
    return choice;
  }

  private int[] members(int[] choice, int exemplar) {
    return IntStream.range(0, size).filter(member -> choice[member] == exemplar).toArray();
  }

  /** The member with the largest sum of similarities to it, ties to the lower index. */
  int medoid(int[] members) {
    int best = members[0];
    double most = Double.NEGATIVE_INFINITY;
    for (int candidate : members) {
      double sum = 0;
      for (int member : members) {
        sum += similarities[member * size + candidate];
      }
      if (sum > most) {
        most = sum;
        best = candidate;
      }
    }
    return best;
  }
}
