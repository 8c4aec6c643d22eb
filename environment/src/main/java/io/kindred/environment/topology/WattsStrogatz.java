package io.kindred.environment.topology;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.TextFiles;
import io.kindred.core.random.RandomStream;
import java.util.Arrays;

/**
 * A small world (Watts and Strogatz, Collective Dynamics of Small-World Networks, Nature 393,
 * 1998): a ring with edges to the nearest peers, some of them rewired to random peers.
 */
@Named(
    value = "watts-strogatz",
    summary =
        "a ring of near neighbours with some edges rewired to random peers; kept" + " connected")
public record WattsStrogatz(
    @Setting(
            doc = "neighbours of a peer before rewiring, half on each side; must be even",
            fallback = "4",
            min = 2)
        int degree,
    @Setting(
            doc = "probability that an edge leads to a random peer instead",
            fallback = "0.1",
            min = 0,
            max = 1)
        double rewire)
    implements Topology {
  /** Draws before the next free peer in order is taken, so that drawing terminates. */
  private static final int MAX_DRAWS = 100;

  @Override
  public Graph connect(int peers, RandomStream random, TextFiles files) {
    DegreeLimits.requireEven(degree, 2, peers);
    if (peers == 1) {
      return new Graph.Builder(1).build();
    }
    EdgeSet edges = new EdgeSet(peers, (long) peers * degree / 2);
    for (int distance = 1; distance <= degree / 2; distance++) {
      for (int peer = 0; peer < peers; peer++) {
        edges.add(peer, (peer + distance) % peers);
      }
    }
    int[] degrees = new int[peers];
    Arrays.fill(degrees, degree);
    for (int i = 0; i < edges.size(); i++) {
      // The order of the paper: all nearest neighbours first, then the next nearest.
      int peer = i % peers;
      if (random.nextDouble() < rewire && degrees[peer] < peers - 1) {
        int to = randomNonNeighbour(edges, peer, peers, random);
        degrees[edges.low(i) + edges.high(i) - peer]--;
        degrees[to]++;
        edges.replace(i, peer, to);
      }
    }
    return edges.builder().connectComponents(random).build();
  }

  private static int randomNonNeighbour(EdgeSet edges, int peer, int peers, RandomStream random) {
    int drawn = random.nextInt(peers);
    for (int draws = 1; draws < MAX_DRAWS && isSelfOrNeighbour(edges, peer, drawn); draws++) {
      drawn = random.nextInt(peers);
    }
    while (isSelfOrNeighbour(edges, peer, drawn)) {
      drawn = (drawn + 1) % peers;
    }
    return drawn;
  }

  private static boolean isSelfOrNeighbour(EdgeSet edges, int peer, int other) {
    return other == peer || edges.contains(peer, other);
  }
}
