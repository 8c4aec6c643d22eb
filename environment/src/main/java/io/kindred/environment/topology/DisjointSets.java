package io.kindred.environment.topology;

/** Tracks which peers are connected while edges are added; union by size with path halving. */
final class DisjointSets {
  private final int[] parent;
  private final int[] members;
  private int count;

  DisjointSets(int peers) {
    parent = new int[peers];
    members = new int[peers];
    count = peers;
    for (int peer = 0; peer < peers; peer++) {
      parent[peer] = peer;
      members[peer] = 1;
    }
  }

  int count() {
    return count;
  }

  int find(int peer) {
    int at = peer;
    while (parent[at] != at) {
      parent[at] = parent[parent[at]];
      at = parent[at];
    }
    return at;
  }

  /** Returns whether the two were in different sets before. */
  boolean union(int a, int b) {
    int first = find(a);
    int second = find(b);
    if (first == second) {
      return false;
    }
    int larger = members[first] >= members[second] ? first : second;
    int smaller = larger == first ? second : first;
    parent[smaller] = larger;
    members[larger] += members[smaller];
    count--;
    return true;
  }
}
