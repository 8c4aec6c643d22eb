package io.kindred.environment.topology;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.TextFiles;
import io.kindred.core.random.RandomStream;

/** Each pair is connected with the same probability (Gilbert's form of the model). */
@Named(
    value = "erdos-renyi",
    summary =
        "each pair connected with equal probability; the fewest edges are added to"
            + " connect the graph")
public record ErdosRenyi(
    @Setting(
            doc =
                "mean number of neighbours of a peer; 0 takes 5, or all other peers if there are"
                    + " fewer",
            fallback = "0",
            min = 0)
        double degree,
    @Setting(
            doc = "probability that a pair is connected, instead of a degree; 0 uses the degree",
            fallback = "0",
            min = 0,
            max = 1)
        double probability)
    implements Topology {
  public ErdosRenyi {
    DegreeLimits.requireOneOf(degree, "probability", probability);
  }

  public ErdosRenyi(double degree) {
    this(degree, 0);
  }

  @Override
  public Graph connect(int peers, RandomStream random, TextFiles files) {
    Graph.Builder edges = new Graph.Builder(peers);
    Pairs.draw(peers, edgeProbability(peers), random, edges::connect);
    return edges.connectComponents(random).build();
  }

  private double edgeProbability(int peers) {
    if (probability > 0) {
      return probability;
    }
    return peers > 1 ? DegreeLimits.resolveMean(degree, peers) / (peers - 1) : 0;
  }
}
