package io.kindred.environment.topology;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.config.TextFiles;
import io.kindred.core.random.RandomStream;
import java.util.Arrays;

/**
 * Growth by preferential attachment (Barabasi and Albert, Emergence of Scaling in Random Networks,
 * Science 286, 1999): each newcomer connects to {@code edges} different peers, drawn in proportion
 * to their degrees. The graph starts as a star around the first newcomer, so that it has exactly
 * {@code edges * (peers - edges)} edges and is connected by construction.
 */
@Named(
    value = "barabasi-albert",
    summary =
        "each new peer connects preferably to peers with many neighbours; power-law" + " degrees")
public record BarabasiAlbert(
    @Setting(
            doc = "edges that each new peer makes; the mean degree is about twice that",
            fallback = "3",
            min = 1)
        int edges)
    implements Topology {
  /**
   * Draws for one edge before the lowest peer that is left is taken, so that drawing terminates.
   */
  private static final int MAX_DRAWS = 1000;

  @Override
  public Graph connect(int peers, RandomStream random, TextFiles files) {
    if (peers == 1) {
      return new Graph.Builder(1).build();
    }
    if (edges >= peers) {
      throw new SettingException(
          "topology.edges",
          "a new peer cannot make " + edges + " edges among " + peers + " peers",
          "choose at most " + (peers - 1));
    }
    long count = (long) edges * (peers - edges);
    Graph.requireEdgeLimit(count);
    // Both ends of every edge: a uniform draw from it is a draw in proportion to degree.
    int[] ends = new int[(int) (2 * count)];
    int size = 0;
    Graph.Builder graph = new Graph.Builder(peers);
    int[] targets = new int[edges];
    for (int newcomer = edges; newcomer < peers; newcomer++) {
      if (newcomer == edges) {
        Arrays.setAll(targets, peer -> peer);
      } else {
        drawTargets(ends, size, targets, random);
      }
      for (int target : targets) {
        graph.connect(newcomer, target);
        ends[size++] = newcomer;
        ends[size++] = target;
      }
    }
    return graph.build();
  }

  /** Draws different peers; the targets drawn so far are ascending, for binary search. */
  private static void drawTargets(int[] ends, int size, int[] targets, RandomStream random) {
    for (int count = 0; count < targets.length; count++) {
      int place = -1;
      int drawn = -1;
      for (int draws = 0; place < 0 && draws < MAX_DRAWS; draws++) {
        drawn = ends[random.nextInt(size)];
        place = -1 - Arrays.binarySearch(targets, 0, count, drawn);
      }
      if (place < 0) {
        place = 0;
        while (place < count && targets[place] == place) {
          place++;
        }
        drawn = place;
      }
      System.arraycopy(targets, place, targets, place + 1, count - place);
      targets[place] = drawn;
    }
  }
}
