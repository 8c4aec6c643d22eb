package io.kindred.environment.topology;

import io.kindred.core.config.Named;
import io.kindred.core.config.TextFiles;
import io.kindred.core.random.RandomStream;

/** Every peer is a neighbour of the peers before and after it. */
@Named(value = "ring", summary = "a ring: each peer has two neighbours")
public record Ring() implements Topology {
  @Override
  public Graph connect(int peers, RandomStream random, TextFiles files) {
    Graph.Builder edges = new Graph.Builder(peers);
    for (int peer = 0; peer < peers; peer++) {
      edges.connect(peer, (peer + 1) % peers);
    }
    return edges.build();
  }
}
