package io.kindred.environment.topology;

import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;

/**
 * A network that changes from round to round (FedSPD, appendix B.2.4): each edge is removed with
 * this probability, and each pair without an edge gets one with the probability that restores the
 * mean degree. Components are joined by the fewest edges, because every method needs a connected
 * graph.
 */
public record Rewiring(double probability) {
  /**
   * The graph of the next round.
   *
   * @param degree mean degree to keep: that of the first graph, so that edges that joined
   *     components do not accumulate
   */
  public Graph next(Graph graph, double degree, RandomStream random) {
    if (probability == 0) {
      return graph;
    }
    Graph.Builder edges = new Graph.Builder(graph.peers());
    int before = 0;
    int kept = 0;
    for (int a = 0; a < graph.peers(); a++) {
      Ints list = graph.neighbours().get(a);
      for (int i = 0; i < list.size(); i++) {
        if (list.get(i) > a) {
          before++;
          if (random.nextDouble() >= probability) {
            edges.connect(a, list.get(i));
            kept++;
          }
        }
      }
    }
    double missing = degree * graph.peers() / 2 - kept;
    long free = Pairs.count(graph.peers()) - before;
    // Only among the pairs that had no edge: a removed edge does not return in the same round.
    Pairs.draw(
        graph.peers(),
        free > 0 ? missing / free : 0,
        random,
        (a, b) -> {
          if (!graph.hasEdge(a, b)) {
            edges.connect(a, b);
          }
        });
    return edges.connectComponents(random).build();
  }
}
