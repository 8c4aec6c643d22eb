package io.kindred.environment.topology;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.TextFiles;
import io.kindred.core.random.RandomStream;

/**
 * Random closed tours through all peers, laid over each other (Law and Siu, Distributed
 * Construction of Random Expander Networks, INFOCOM 2003). Connected by construction, and with high
 * probability the second eigenvalue is nearly the smallest that the degree allows (Friedman, A
 * Proof of Alon's Second Eigenvalue Conjecture, 2008). An edge of two tours counts once, so that a
 * few peers have a neighbour less.
 */
@Named(
    value = "expander",
    summary = "several random rings over all peers combined; models spread fast")
public record Expander(
    @Setting(
            doc = "neighbours of a peer, two from each ring; must be even",
            fallback = "4",
            min = 4)
        int degree)
    implements Topology {
  @Override
  public Graph connect(int peers, RandomStream random, TextFiles files) {
    DegreeLimits.requireEven(degree, 4, peers);
    Graph.Builder edges = new Graph.Builder(peers);
    for (int tour = 0; tour < degree / 2; tour++) {
      int[] order = random.permutation(peers);
      for (int i = 0; i < peers; i++) {
        edges.connect(order[i], order[(i + 1) % peers]);
      }
    }
    return edges.build();
  }
}
