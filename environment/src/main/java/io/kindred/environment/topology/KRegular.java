package io.kindred.environment.topology;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.config.TextFiles;
import io.kindred.core.random.RandomStream;
import java.util.Arrays;

/**
 * A random graph in which all peers have the same number of neighbours. It starts as a ring with
 * chords, and two random edges exchange ends many times over, which keeps every degree. Drawing
 * ends until they fit would be exactly uniform, but need not terminate.
 */
@Named(
    value = "k-regular",
    summary = "random graph in which every peer has the same number of neighbours")
public record KRegular(
    @Setting(doc = "number of neighbours of every peer", fallback = "4", min = 1) int degree)
    implements Topology {
  /** Exchange attempts per edge; ten are enough to erase the initial ring (measured). */
  private static final int EXCHANGE_PASSES = 10;

  @Override
  public Graph connect(int peers, RandomStream random, TextFiles files) {
    requirePossible(peers);
    if (peers == 1) {
      return new Graph.Builder(1).build();
    }
    EdgeSet edges = ringWithChords(peers);
    for (int pass = 0; pass < EXCHANGE_PASSES; pass++) {
      for (int edge = 0; edge < edges.size(); edge++) {
        swapEnds(edges, edge, random.nextInt(edges.size()), random.nextInt(2) == 0);
      }
    }
    connectComponents(edges, peers);
    return edges.builder().build();
  }

  private void requirePossible(int peers) {
    DegreeLimits.requireExact(degree, peers);
    if (peers > 2 && degree == 1) {
      throw new SettingException(
          DegreeLimits.KEY,
          "with one neighbour each, peers form isolated pairs",
          "choose at least 2");
    }
    if (peers > 1 && (long) peers * degree % 2 != 0) {
      throw new SettingException(
          DegreeLimits.KEY,
          peers + " peers cannot have " + degree + " neighbours each: an edge has two ends",
          "make one of the two numbers even");
    }
  }

  private EdgeSet ringWithChords(int peers) {
    EdgeSet edges = new EdgeSet(peers, (long) peers * degree / 2);
    for (int distance = 1; distance <= degree / 2; distance++) {
      for (int peer = 0; peer < peers; peer++) {
        edges.add(peer, (peer + distance) % peers);
      }
    }
    for (int peer = 0; degree % 2 != 0 && peer < peers / 2; peer++) {
      edges.add(peer, peer + peers / 2);
    }
    return edges;
  }

  /** a - b and c - d become a - d and c - b, if neither is present yet. */
  private static void swapEnds(EdgeSet edges, int first, int second, boolean turned) {
    int a = edges.low(first);
    int b = edges.high(first);
    int c = turned ? edges.high(second) : edges.low(second);
    int d = turned ? edges.low(second) : edges.high(second);
    if (a != d && c != b && a != c && b != d && !edges.contains(a, d) && !edges.contains(c, b)) {
      edges.replace(first, a, d);
      edges.replace(second, c, b);
    }
  }

  /**
   * Where exchanges left several components, one more exchange joins two of them: it takes an edge
   * of each that lies on a cycle, so that the component stays connected without it. With at least
   * two neighbours each, every component has such an edge; and both new edges lie on a cycle again,
   * so that the next component can be joined to one of them.
   */
  private static void connectComponents(EdgeSet edges, int peers) {
    DisjointSets sets = new DisjointSets(peers);
    int[] closing = new int[edges.size()];
    int count = 0;
    for (int i = 0; i < edges.size(); i++) {
      if (!sets.union(edges.low(i), edges.high(i))) {
        closing[count++] = i;
      }
    }
    int[] cycleOf = new int[peers];
    Arrays.fill(cycleOf, -1);
    int previous = -1;
    for (int i = 0; sets.count() > 1 && i < count; i++) {
      int part = sets.find(edges.low(closing[i]));
      if (cycleOf[part] < 0) {
        cycleOf[part] = closing[i];
        if (previous >= 0) {
          connectByExchange(edges, previous, closing[i]);
        }
        previous = closing[i];
      }
    }
  }

  private static void connectByExchange(EdgeSet edges, int first, int second) {
    int a = edges.low(first);
    int b = edges.high(first);
    int c = edges.low(second);
    int d = edges.high(second);
    edges.replace(first, a, c);
    edges.replace(second, b, d);
  }
}
