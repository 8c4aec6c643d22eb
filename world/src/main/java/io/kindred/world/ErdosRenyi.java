package io.kindred.world;

import io.kindred.core.random.RandomStream;
import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;

/** Each pair is connected with the same probability (Gilbert's form of the model). */
@Named(
    value = "erdos-renyi",
    summary = "each pair connected with equal probability, made connected by the fewest edges")
public record ErdosRenyi(
    @Setting(doc = "mean number of neighbours of a peer", fallback = "5", above = 0) double degree,
    @Setting(
            doc = "probability that a pair is connected, in place of the degree; 0 leaves it",
            fallback = "0",
            min = 0,
            max = 1)
        double probability)
    implements Topology {
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
    Degree.requireMean(degree, peers);
    return peers > 1 ? degree / (peers - 1) : 0;
  }
}
