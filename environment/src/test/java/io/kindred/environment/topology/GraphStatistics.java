package io.kindred.environment.topology;

import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import java.util.Arrays;

/** What tests compare generated graphs by: degrees, clustering, distances and mixing speed. */
final class GraphStatistics {
  /**
   * Up to this size distances are measured from every peer, above it from this many random peers.
   */
  static final int MAX_SOURCES = 1000;

  private GraphStatistics() {}

  /**
   * Numbers of edges between peers.
   *
   * @param diameter the largest measured distance, so a lower bound unless exact
   * @param mean over pairs of different peers
   * @param exact whether every pair was measured
   */
  record Distances(int diameter, double mean, boolean exact) {}

  /** At index d the number of peers with d neighbours, up to the highest degree. */
  static Ints degreeHistogram(Graph graph) {
    int highest = graph.neighbours().stream().mapToInt(Ints::size).max().orElse(0);
    int[] counts = new int[highest + 1];
    graph.neighbours().forEach(list -> counts[list.size()]++);
    return Ints.wrap(counts);
  }

  /**
   * The mean over peers of the share of pairs of neighbours that are neighbours themselves (Watts
   * and Strogatz, 1998); 0 for a peer with fewer than two.
   */
  static double clustering(Graph graph) {
    long[] triangles = new long[graph.peers()];
    for (int a = 0; a < graph.peers(); a++) {
      Ints list = graph.neighbours().get(a);
      for (int i = 0; i < list.size(); i++) {
        if (list.get(i) > a) {
          countTriangles(graph, a, list.get(i), triangles);
        }
      }
    }
    double sum = 0;
    for (int peer = 0; peer < graph.peers(); peer++) {
      if (graph.degree(peer) > 1) {
        sum += triangles[peer] / (double) Pairs.count(graph.degree(peer));
      }
    }
    return sum / graph.peers();
  }

  /**
   * Counts each triangle once, from its two lowest peers; the shorter list is searched in the
   * longer.
   */
  private static void countTriangles(Graph graph, int a, int b, long[] triangles) {
    int fewer = graph.degree(a) < graph.degree(b) ? a : b;
    int more = a + b - fewer;
    Ints list = graph.neighbours().get(fewer);
    for (int i = list.size() - 1; i >= 0 && list.get(i) > b; i--) {
      if (graph.hasEdge(more, list.get(i))) {
        triangles[a]++;
        triangles[b]++;
        triangles[list.get(i)]++;
      }
    }
  }

  /** Distances in a connected graph; in a large graph the stream draws the source peers. */
  static Distances distances(Graph graph, RandomStream random) {
    int peers = graph.peers();
    boolean exact = peers <= MAX_SOURCES;
    int[] order = exact ? new int[0] : random.permutation(peers);
    int sources = Math.min(peers, MAX_SOURCES);
    int[] distance = new int[peers];
    int[] open = new int[peers];
    int diameter = 0;
    long sum = 0;
    for (int i = 0; i < sources; i++) {
      int last = breadthFirst(graph, exact ? i : order[i], distance, open);
      diameter = Math.max(diameter, distance[last]);
      for (int each : distance) {
        sum += each;
      }
    }
    double pairs = (double) sources * (peers - 1);
    return new Distances(diameter, pairs == 0 ? 0 : sum / pairs, exact);
  }

  /** Breadth-first search; returns one of the farthest peers. */
  private static int breadthFirst(Graph graph, int source, int[] distance, int[] open) {
    Arrays.fill(distance, -1);
    distance[source] = 0;
    open[0] = source;
    int end = 1;
    for (int at = 0; at < end; at++) {
      Ints list = graph.neighbours().get(open[at]);
      for (int i = 0; i < list.size(); i++) {
        int next = list.get(i);
        if (distance[next] < 0) {
          distance[next] = distance[open[at]] + 1;
          open[end++] = next;
        }
      }
    }
    if (end < distance.length) {
      throw new IllegalArgumentException(
          "distances need a connected graph, but peer "
              + source
              + " reaches only "
              + end
              + " of "
              + distance.length);
    }
    return open[end - 1];
  }

  /**
   * The second largest modulus of the eigenvalues of the mixing matrix with Metropolis weights, 1 /
   * (1 + the larger degree): the factor by which disagreement shrinks in a round of averaging, in
   * the long run. By power iteration in the subspace orthogonal to consensus, with bounded work:
   * for thousands of peers on a ring or a similar graph it is a lower bound.
   */
  static double mixingFactor(Graph graph, RandomStream random) {
    if (graph.peers() == 1) {
      return 0;
    }
    double[] now = new double[graph.peers()];
    for (int i = 0; i < now.length; i++) {
      now[i] = random.nextGaussian();
    }
    double[] next = new double[now.length];
    GraphMeasures.normalize(now);
    double factor = 0;
    long steps =
        Math.max(
            GraphMeasures.MIN_STEPS, GraphMeasures.MAX_VISITS / (now.length + 2L * graph.edges()));
    for (long step = 0; step < steps; step++) {
      GraphMeasures.mix(graph, now, next);
      double before = factor;
      // Its square is the Rayleigh quotient of the squared matrix: signs cannot make it oscillate.
      factor = GraphMeasures.normalize(next);
      double[] kept = now;
      now = next;
      next = kept;
      if (Math.abs(factor - before) <= GraphMeasures.CONVERGENCE_TOLERANCE * factor
          || factor < GraphMeasures.CONVERGENCE_TOLERANCE) {
        break;
      }
    }
    return factor;
  }
}
