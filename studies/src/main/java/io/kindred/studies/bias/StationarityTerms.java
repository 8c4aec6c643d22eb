package io.kindred.studies.bias;

import io.kindred.core.weights.Ints;
import io.kindred.environment.topology.Graph;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The terms of theorem 1 (SemanticDFL, section 4.2) for peers that average the gradients of their
 * graph neighbours, each as mean over peers. With quadratic losses the gradients of two peers
 * differ by the difference of their minima at every point, so all terms are exact. Gradients are
 * exact and models are current: the terms of noise and staleness are zero.
 *
 * @param recall share of a peer's neighbours among equally many most similar peers
 * @param alignment squared distance of the own gradient from the mean one of the most similar peers
 * @param selection squared distance of that mean from the mean gradient of the neighbours
 * @param mismatch squared distance of the own gradient from the mean one of the neighbours, which
 *     is the squared gradient where the averaged descent ends
 * @param floor theorem 1's bound of the squared gradient after many rounds, 8 zeta^2
 */
public record StationarityTerms(
    double recall, double alignment, double selection, double mismatch, double floor) {

  /** The terms of one graph; every peer needs a neighbour. */
  static StationarityTerms of(QuadraticPeers peers, Graph graph) {
    double[] sums = new double[5];
    for (int peer = 0; peer < peers.peers(); peer++) {
      StationarityTerms own = of(peers, peer, neighbours(graph, peer));
      sums[0] += own.recall;
      sums[1] += own.alignment;
      sums[2] += own.selection;
      sums[3] += own.mismatch;
      sums[4] += own.floor;
    }
    int count = peers.peers();
    return new StationarityTerms(
        sums[0] / count, sums[1] / count, sums[2] / count, sums[3] / count, sums[4] / count);
  }

  private static Set<Integer> neighbours(Graph graph, int peer) {
    Ints list = graph.neighbours().get(peer);
    Set<Integer> neighbours = new HashSet<>();
    for (int i = 0; i < list.size(); i++) {
      neighbours.add(list.get(i));
    }
    return neighbours;
  }

  private static StationarityTerms of(QuadraticPeers peers, int peer, Set<Integer> used) {
    List<Integer> alike = peers.mostAlike(peer, used.size());
    double own = peers.minima().get(peer);
    double ideal = mean(peers, alike);
    double actual = mean(peers, used);
    double recall = alike.stream().filter(used::contains).count() / (double) alike.size();
    double alignment = (own - ideal) * (own - ideal);
    // Lemma 1 bounds the selection by the recall and by the largest gradient.
    double selectionBound = 2 * (1 - recall) * largestGradient(peers);
    double zetaSquared = 3 * (alignment + selectionBound * selectionBound);
    return new StationarityTerms(
        recall,
        alignment,
        (ideal - actual) * (ideal - actual),
        (own - actual) * (own - actual),
        8 * zetaSquared);
  }

  private static double mean(QuadraticPeers peers, Collection<Integer> of) {
    return of.stream().mapToDouble(peers.minima()::get).average().orElseThrow();
  }

  /** G: models start and stay between the outermost minima, because every step is an average. */
  private static double largestGradient(QuadraticPeers peers) {
    double least = peers.minima().stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    double most = peers.minima().stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    return most - least;
  }
}
