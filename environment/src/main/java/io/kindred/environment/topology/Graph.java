package io.kindred.environment.topology;

import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** The neighbour graph: undirected, without loops, each list ascending. */
public record Graph(List<Ints> neighbours) {
  /** More edges do not fit an ordinary heap: an edge takes 16 bytes while it is collected. */
  static final int MAX_EDGES = 100_000_000;

  public Graph {
    neighbours = List.copyOf(neighbours);
  }

  static void requireEdgeLimit(long edges) {
    if (edges > MAX_EDGES) {
      throw new SettingException(
          "topology",
          "the graph would have more than " + MAX_EDGES + " edges",
          "choose fewer peers or a sparser topology");
    }
  }

  public int peers() {
    return neighbours.size();
  }

  public int degree(int peer) {
    return neighbours.get(peer).size();
  }

  public double meanDegree() {
    return neighbours.stream().mapToInt(Ints::size).average().orElse(0);
  }

  public int edges() {
    return neighbours.stream().mapToInt(Ints::size).sum() / 2;
  }

  /** Whether two peers are neighbours. */
  public boolean hasEdge(int a, int b) {
    Ints list = neighbours.get(a);
    int low = 0;
    int high = list.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int found = list.get(middle);
      if (found == b) {
        return true;
      }
      if (found < b) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return false;
  }

  /**
   * For each peer the number of its connected component; components are numbered in order of their
   * lowest peer.
   */
  public Ints connectedComponents() {
    int[] part = new int[peers()];
    Arrays.fill(part, -1);
    int[] open = new int[part.length];
    int next = 0;
    for (int start = 0; start < part.length; start++) {
      if (part[start] < 0) {
        markComponent(start, next++, part, open);
      }
    }
    return Ints.wrap(part);
  }

  private void markComponent(int start, int number, int[] part, int[] open) {
    open[0] = start;
    part[start] = number;
    int end = 1;
    for (int at = 0; at < end; at++) {
      Ints next = neighbours.get(open[at]);
      for (int i = 0; i < next.size(); i++) {
        if (part[next.get(i)] < 0) {
          part[next.get(i)] = number;
          open[end++] = next.get(i);
        }
      }
    }
  }

  public boolean isConnected() {
    Ints parts = connectedComponents();
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Collects edges, each once whichever direction and however often it is given. */
  public static final class Builder {
    private final int peers;
    private long[] edges = new long[16];
    private int size;

    public Builder(int peers) {
      this.peers = peers;
    }

    public Builder connect(int a, int b) {
      Objects.checkIndex(a, peers);
      Objects.checkIndex(b, peers);
      if (a != b) {
        if (size == edges.length) {
          requireEdgeLimit(size + 1L);
          edges = Arrays.copyOf(edges, Math.min(MAX_EDGES, 2 * size));
        }
        edges[size++] = (long) a << 32 | b;
      }
      return this;
    }

    /**
     * Joins connected components by the fewest edges: each component by one random edge to an
     * earlier one. Drawing until a connected graph turns up need not terminate.
     */
    Builder connectComponents(RandomStream random) {
      int[] part = build().connectedComponents().copy();
      int[] start = new int[peers + 1];
      for (int each : part) {
        start[each + 1]++;
      }
      for (int i = 0; i < peers; i++) {
        start[i + 1] += start[i];
      }
      int[] next = start.clone();
      int[] members = new int[peers];
      for (int peer = 0; peer < peers; peer++) {
        members[next[part[peer]]++] = peer;
      }
      for (int i = 1; i < peers && start[i] < peers; i++) {
        int before = members[random.nextInt(start[i])];
        connect(before, members[start[i] + random.nextInt(start[i + 1] - start[i])]);
      }
      return this;
    }

    public Graph build() {
      int[] end = new int[peers + 1];
      for (int i = 0; i < size; i++) {
        end[(int) (edges[i] >> 32) + 1]++;
        end[(int) edges[i] + 1]++;
      }
      for (int peer = 0; peer < peers; peer++) {
        end[peer + 1] += end[peer];
      }
      // Filling moves each peer's start to its end.
      int[] targets = new int[2 * size];
      for (int i = 0; i < size; i++) {
        int a = (int) (edges[i] >> 32);
        int b = (int) edges[i];
        targets[end[a]++] = b;
        targets[end[b]++] = a;
      }
      Ints[] neighbours = new Ints[peers];
      for (int peer = 0; peer < peers; peer++) {
        int start = peer == 0 ? 0 : end[peer - 1];
        neighbours[peer] = Ints.wrap(sortedDistinct(targets, start, end[peer]));
      }
      return new Graph(Arrays.asList(neighbours));
    }

    private static int[] sortedDistinct(int[] targets, int from, int to) {
      Arrays.sort(targets, from, to);
      int distinct = from;
      for (int i = from; i < to; i++) {
        if (i == from || targets[i] != targets[i - 1]) {
          targets[distinct++] = targets[i];
        }
      }
      return Arrays.copyOfRange(targets, from, distinct);
    }
  }
}
