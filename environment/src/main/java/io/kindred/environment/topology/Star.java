package io.kindred.environment.topology;

import io.kindred.core.config.Named;
import io.kindred.core.config.TextFiles;
import io.kindred.core.random.RandomStream;

/** Peer 0 is the hub: the only neighbour of every other peer. */
@Named(value = "star", summary = "every peer connected to peer 0 alone")
public record Star() implements Topology {
  @Override
  public Graph connect(int peers, RandomStream random, TextFiles files) {
    Graph.Builder edges = new Graph.Builder(peers);
    for (int peer = 1; peer < peers; peer++) {
      edges.connect(0, peer);
    }
    return edges.build();
  }
}
