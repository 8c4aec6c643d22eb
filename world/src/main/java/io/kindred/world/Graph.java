package io.kindred.world;

import io.kindred.core.weights.Ints;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.TreeSet;

/** Who is whose neighbour: undirected, without loops, each list ascending. */
public record Graph(List<Ints> neighbours) {
  public Graph {
    neighbours = List.copyOf(neighbours);
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

  /**
   * For each peer the number of its connected part; parts are numbered in order of their lowest
   * peer.
   */
  public Ints parts() {
    int[] part = new int[peers()];
    Arrays.fill(part, -1);
    int next = 0;
    for (int start = 0; start < part.length; start++) {
      if (part[start] < 0) {
        mark(start, next++, part);
      }
    }
    return Ints.wrap(part);
  }

  private void mark(int start, int number, int[] part) {
    Deque<Integer> open = new ArrayDeque<>();
    open.add(start);
    part[start] = number;
    while (!open.isEmpty()) {
      Ints next = neighbours.get(open.remove());
      for (int i = 0; i < next.size(); i++) {
        if (part[next.get(i)] < 0) {
          part[next.get(i)] = number;
          open.add(next.get(i));
        }
      }
    }
  }

  public boolean connected() {
    Ints parts = parts();
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Collects edges, each once whichever way it is given. */
  public static final class Builder {
    private final List<TreeSet<Integer>> neighbours = new ArrayList<>();

    public Builder(int peers) {
      for (int i = 0; i < peers; i++) {
        neighbours.add(new TreeSet<>());
      }
    }

    public Builder connect(int a, int b) {
      if (a != b) {
        neighbours.get(a).add(b);
        neighbours.get(b).add(a);
      }
      return this;
    }

    public Graph build() {
      return new Graph(
          neighbours.stream()
              .map(set -> Ints.wrap(set.stream().mapToInt(Integer::intValue).toArray()))
              .toList());
    }
  }
}
