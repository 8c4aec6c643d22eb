package io.kindred.methods.hierarchy.forming;

import java.util.Arrays;

/** Who is in which cluster, and the members of each, in no order that matters. */
public final class Clustering {
  private final int[] of;
  private final int[][] members;
  private final int[] sizes;
  private final int[] place;

  /** From the number of each client's cluster. */
  public Clustering(int[] of, int clusters) {
    this.of = of.clone();
    members = new int[clusters][of.length];
    sizes = new int[clusters];
    place = new int[of.length];
    for (int client = 0; client < of.length; client++) {
      join(client, of[client]);
    }
  }

  private void join(int client, int cluster) {
    of[client] = cluster;
    place[client] = sizes[cluster];
    members[cluster][sizes[cluster]++] = client;
  }

  private void leave(int client) {
    int cluster = of[client];
    int last = members[cluster][--sizes[cluster]];
    members[cluster][place[client]] = last;
    place[last] = place[client];
  }

  void move(int client, int cluster) {
    leave(client);
    join(client, cluster);
  }

  public int clients() {
    return of.length;
  }

  public int clusters() {
    return sizes.length;
  }

  public int of(int client) {
    return of[client];
  }

  public int size(int cluster) {
    return sizes[cluster];
  }

  int member(int cluster, int place) {
    return members[cluster][place];
  }

  /** In ascending order. */
  public int[] members(int cluster) {
    int[] copy = Arrays.copyOf(members[cluster], sizes[cluster]);
    Arrays.sort(copy);
    return copy;
  }

  /** Whether every cluster has at least so many members and at most so many. */
  public boolean within(int least, int most) {
    return Arrays.stream(sizes).allMatch(size -> size >= least && size <= most);
  }

  Clustering copy() {
    return new Clustering(of, sizes.length);
  }
}
