package io.kindred.methods.hfl.formation;

import java.util.Arrays;

/**
 * Assigns clients to given heads by augmenting paths, so that each client reaches its head and no
 * cluster is too small or too large. The least sizes are filled first; a path never makes a cluster
 * smaller, so they stay filled when the remaining clients are assigned. No assignment is better
 * than another, so there are no costs to minimize; the first that is found enters the trace.
 */
final class HeadMatching {
  private static final int UNASSIGNED = -1;

  private final FormationInput input;
  private final FormationSettings rule;
  private final int[] heads;
  private final int[] clusterOf;
  private final int[] load;

  HeadMatching(FormationInput input, FormationSettings rule, int[] heads) {
    this.input = input;
    this.rule = rule;
    this.heads = heads;
    clusterOf = new int[input.clients()];
    Arrays.fill(clusterOf, UNASSIGNED);
    load = new int[heads.length];
    for (int cluster = 0; cluster < heads.length; cluster++) {
      clusterOf[heads[cluster]] = cluster;
      load[cluster] = 1;
    }
  }

  int[] clusters() {
    return clusterOf;
  }

  boolean assignAll() {
    return everyClientReachesAHead()
        && fill(rule.least(), false)
        && fill(rule.most(clusterOf.length), true);
  }

  private boolean everyClientReachesAHead() {
    for (int client = 0; client < clusterOf.length; client++) {
      boolean any = false;
      for (int head : heads) {
        any |= input.canReach(client, head);
      }
      if (!any) {
        return false;
      }
    }
    return true;
  }

  /** Assigns clients until all clusters have so many, or until all clients are assigned. */
  private boolean fill(int most, boolean all) {
    for (int client = 0; client < clusterOf.length; client++) {
      if (clusterOf[client] == UNASSIGNED
          && !assign(client, most, new boolean[heads.length])
          && all) {
        return false;
      }
    }
    return all || Arrays.stream(load).allMatch(each -> each >= most);
  }

  /** Finds a cluster for a client, moving other clients if necessary; heads are never moved. */
  private boolean assign(int client, int most, boolean[] seen) {
    for (int cluster = 0; cluster < heads.length; cluster++) {
      if (seen[cluster] || !input.canReach(client, heads[cluster])) {
        continue;
      }
      seen[cluster] = true;
      if (load[cluster] < most) {
        clusterOf[client] = cluster;
        load[cluster]++;
        return true;
      }
      for (int other = 0; other < clusterOf.length; other++) {
        if (clusterOf[other] == cluster && other != heads[cluster] && assign(other, most, seen)) {
          clusterOf[client] = cluster;
          return true;
        }
      }
    }
    return false;
  }
}
