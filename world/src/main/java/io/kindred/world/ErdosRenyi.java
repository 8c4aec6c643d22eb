package io.kindred.world;

import io.kindred.core.random.RandomStream;
import io.kindred.core.settings.Complaint;
import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;
import io.kindred.core.weights.Ints;
import java.util.ArrayList;
import java.util.List;

/**
 * Each pair is connected with the same probability. Parts that stay apart are joined by one random
 * edge each, rather than drawing until a connected graph turns up, which need not end.
 */
@Named(
    value = "erdos-renyi",
    summary = "each pair connected with equal probability, made connected by the fewest edges")
public record ErdosRenyi(
    @Setting(doc = "mean number of neighbours of a peer", fallback = "5", above = 0) double degree)
    implements Topology {
  @Override
  public Graph connect(int peers, RandomStream random) {
    if (peers > 1 && degree > peers - 1) {
      throw new Complaint(
          "topology.degree",
          "a mean degree of " + degree + " cannot be had with " + peers + " peers",
          "choose at most " + (peers - 1));
    }
    double probability = peers > 1 ? degree / (peers - 1) : 0;
    Graph.Builder edges = new Graph.Builder(peers);
    for (int a = 0; a < peers; a++) {
      for (int b = a + 1; b < peers; b++) {
        if (random.nextDouble() < probability) {
          edges.connect(a, b);
        }
      }
    }
    joinParts(edges, random);
    return edges.build();
  }

  private static void joinParts(Graph.Builder edges, RandomStream random) {
    Ints parts = edges.build().parts();
    List<List<Integer>> members = new ArrayList<>();
    for (int peer = 0; peer < parts.size(); peer++) {
      if (parts.get(peer) == members.size()) {
        members.add(new ArrayList<>());
      }
      members.get(parts.get(peer)).add(peer);
    }
    for (int part = 1; part < members.size(); part++) {
      edges.connect(pick(members.get(part - 1), random), pick(members.get(part), random));
    }
  }

  private static int pick(List<Integer> from, RandomStream random) {
    return from.get(random.nextInt(from.size()));
  }
}
