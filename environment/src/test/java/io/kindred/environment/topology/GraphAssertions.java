package io.kindred.environment.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;

/** Properties of every valid graph, checked independently of the graph's own methods. */
final class GraphAssertions {
  private GraphAssertions() {}

  static RandomStream random(long seed) {
    return new RandomStreams(seed).stream(Purpose.TOPOLOGY, 0, 0);
  }

  /** Undirected, without loops, ascending and connected. */
  static void check(Graph graph) {
    for (int a = 0; a < graph.peers(); a++) {
      Ints list = graph.neighbours().get(a);
      for (int i = 0; i < list.size(); i++) {
        int b = list.get(i);
        assertThat(b).isBetween(0, graph.peers() - 1).isNotEqualTo(a);
        assertThat(graph.neighbours().get(b).copy()).contains(a);
        assertThat(i == 0 || list.get(i - 1) < b).isTrue();
      }
    }
    assertThat(reached(graph)).isEqualTo(graph.peers());
  }

  /** Number of peers reachable from the first: marks spread along edges until nothing changes. */
  private static int reached(Graph graph) {
    boolean[] reached = new boolean[graph.peers()];
    reached[0] = true;
    int count = 0;
    for (int before = -1; count != before; ) {
      before = count;
      for (int a = 0; a < reached.length; a++) {
        for (int b : graph.neighbours().get(a).copy()) {
          reached[b] |= reached[a];
        }
      }
      count = 0;
      for (boolean each : reached) {
        count += each ? 1 : 0;
      }
    }
    return count;
  }
}
