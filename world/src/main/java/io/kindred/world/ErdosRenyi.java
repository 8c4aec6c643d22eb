package io.kindred.world;

import io.kindred.core.random.RandomStream;
import io.kindred.core.settings.Complaint;
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
  private static final double USUAL_DEGREE = 5;

  public ErdosRenyi {
    if (degree > 0 && probability > 0) {
      throw new Complaint(
          "degree",
          "a degree of " + degree + " and a probability of " + probability + " exclude each other",
          "set one of them to 0");
    }
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
    if (degree == 0) {
      return Math.min(1, USUAL_DEGREE / Math.max(1, peers - 1));
    }
    Degree.requireMean(degree, peers);
    return peers > 1 ? degree / (peers - 1) : 0;
  }
}
