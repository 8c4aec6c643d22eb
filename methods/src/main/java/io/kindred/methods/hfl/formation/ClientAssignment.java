package io.kindred.methods.hfl.formation;

import java.util.Arrays;

/** The cluster of each client, and the members of each cluster in arbitrary order. */
public final class ClientAssignment {
  private final int[] clusterOf;
  private final int[][] members;
  private final int[] sizes;
  private final int[] position;

  /** Creates an assignment from the cluster number of each client. */
  public ClientAssignment(int[] of, int clusters) {
    this.clusterOf = of.clone();
    members = new int[clusters][of.length];
    sizes = new int[clusters];
    position = new int[of.length];
    for (int client = 0; client < of.length; client++) {
      join(client, of[client]);
    }
  }

  private void join(int client, int cluster) {
    clusterOf[client] = cluster;
    position[client] = sizes[cluster];
    members[cluster][sizes[cluster]++] = client;
  }

  private void leave(int client) {
    int cluster = clusterOf[client];
    int last = members[cluster][--sizes[cluster]];
    members[cluster][position[client]] = last;
    position[last] = position[client];
  }

  void move(int client, int cluster) {
    leave(client);
    join(client, cluster);
  }

  public int clients() {
    return clusterOf.length;
  }

  public int clusters() {
    return sizes.length;
  }

  public int clusterOf(int client) {
    return clusterOf[client];
  }

  public int size(int cluster) {
    return sizes[cluster];
  }

  int member(int cluster, int place) {
    return members[cluster][place];
  }

  /** The members of a cluster in ascending order. */
  public int[] members(int cluster) {
    int[] copy = Arrays.copyOf(members[cluster], sizes[cluster]);
    Arrays.sort(copy);
    return copy;
  }

  /** Whether every cluster has at least so many members and at most so many. */
  public boolean hasSizesWithin(int least, int most) {
    return Arrays.stream(sizes).allMatch(size -> size >= least && size <= most);
  }

  ClientAssignment copy() {
    return new ClientAssignment(clusterOf, sizes.length);
  }
}
