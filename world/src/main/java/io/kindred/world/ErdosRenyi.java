package io.kindred.world;

import io.kindred.core.random.RandomStream;
import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;

/** Each pair is connected with the same probability (Gilbert's form of the model). */
@Named(
    value = "erdos-renyi",
    summary = "each pair connected with equal probability, made connected by the fewest edges")
public record ErdosRenyi(
    @Setting(
            doc = "mean number of neighbours of a peer; 0 takes 5, or all where peers are fewer",
            fallback = "0",
            min = 0)
        double degree,
    @Setting(
            doc = "probability that a pair is connected, in place of a degree; 0 leaves it",
            fallback = "0",
            min = 0,
            max = 1)
        double probability)
    implements Topology {
  public ErdosRenyi {
    Degree.requireOneOf(degree, "probability", probability);
  }

  public ErdosRenyi(double degree) {
    this(degree, 0);
  }

  @Override
  public Graph connect(int peers, RandomStream random, TextFiles files) {
    Graph.Builder edges = new Graph.Builder(peers);
    Pairs.draw(peers, probabilityAmong(peers), random, edges::connect);
    return edges.joinParts(random).build();
  }

  private double probabilityAmong(int peers) {
    if (probability > 0) {
      return probability;
    }
    return peers > 1 ? Degree.mean(degree, peers) / (peers - 1) : 0;
  }
}
