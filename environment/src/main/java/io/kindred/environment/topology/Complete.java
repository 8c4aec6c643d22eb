package io.kindred.environment.topology;

import io.kindred.core.config.Named;
import io.kindred.core.config.TextFiles;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import java.util.ArrayList;
import java.util.List;

/** Every peer is a neighbour of every other peer. */
@Named(value = "complete", summary = "every pair connected")
public record Complete() implements Topology {
  @Override
  public Graph connect(int peers, RandomStream random, TextFiles files) {
    Graph.requireEdgeLimit(Pairs.count(peers));
    List<Ints> neighbours = new ArrayList<>(peers);
    for (int peer = 0; peer < peers; peer++) {
      int[] others = new int[peers - 1];
      for (int i = 0; i < others.length; i++) {
        others[i] = i < peer ? i : i + 1;
      }
      neighbours.add(Ints.wrap(others));
    }
    return new Graph(neighbours);
  }
}
