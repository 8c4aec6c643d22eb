package io.kindred.environment.topology;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.config.TextFiles;
import io.kindred.core.random.RandomStream;

/**
 * A grid whose borders are glued together: four neighbours each, or three where, with two rows, the
 * neighbours above and below are the same peer.
 */
@Named(value = "torus", summary = "a grid of rows and columns that wraps around in both directions")
public record Torus(
    @Setting(
            doc =
                "rows of the grid; must divide the number of peers; 0 takes the grid nearest a"
                    + " square",
            fallback = "0",
            min = 0)
        int rows)
    implements Topology {
  @Override
  public Graph connect(int peers, RandomStream random, TextFiles files) {
    int down = peers == 1 ? 1 : rowsOf(peers);
    int across = peers / down;
    Graph.Builder edges = new Graph.Builder(peers);
    for (int peer = 0; peer < peers; peer++) {
      int row = peer / across;
      int column = peer % across;
      edges.connect(peer, row * across + (column + 1) % across);
      edges.connect(peer, (row + 1) % down * across + column);
    }
    return edges.build();
  }

  private int rowsOf(int peers) {
    if (rows > 0) {
      if (rows == 1 || peers % rows != 0 || rows == peers) {
        throw new SettingException(
            "topology.rows",
            peers + " peers cannot be laid out in " + rows + " rows of two or more",
            remedy(peers));
      }
      return rows;
    }
    int found = nearestSquare(peers);
    if (found == 1) {
      throw new SettingException(
          "peers",
          peers + " peers form no grid: the number is prime, and a single row would be a ring",
          "choose " + (peers < 4 ? 4 : peers + 1) + " peers, or topology ring");
    }
    return found;
  }

  private static String remedy(int peers) {
    int found = nearestSquare(peers);
    return found == 1 ? "choose topology ring, or another number of peers" : "choose " + found;
  }

  /** The largest divisor up to the square root. */
  private static int nearestSquare(int peers) {
    int found = 1;
    for (int divisor = 2; (long) divisor * divisor <= peers; divisor++) {
      if (peers % divisor == 0) {
        found = divisor;
      }
    }
    return found;
  }
}
