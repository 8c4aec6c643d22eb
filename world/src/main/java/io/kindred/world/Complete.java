package io.kindred.world;

import io.kindred.core.random.RandomStream;
import io.kindred.core.settings.Named;

/** Everybody is everybody's neighbour. */
@Named(value = "complete", summary = "every pair connected")
public record Complete() implements Topology {
  @Override
  public Graph connect(int peers, RandomStream random) {
    Graph.Builder edges = new Graph.Builder(peers);
    for (int a = 0; a < peers; a++) {
      for (int b = a + 1; b < peers; b++) {
        edges.connect(a, b);
      }
    }
    return edges.build();
  }
}
