package io.kindred.methods.hierarchy.forming;

import java.util.Arrays;

/**
 * Shares clients out among given heads so that each reaches its head and no cluster is too small or
 * too large, by augmenting paths. The least sizes are filled first; a path never takes from a head
 * what it gave before, so they stay filled when everybody else finds a place.
 */
final class Matching {
  private static final int NONE = -1;

  private final Situation situation;
  private final Grouping rule;
  private final int[] heads;
  private final int[] of;
  private final int[] load;

  Matching(Situation situation, Grouping rule, int[] heads) {
    this.situation = situation;
    this.rule = rule;
    this.heads = heads;
    of = new int[situation.clients()];
    Arrays.fill(of, NONE);
    load = new int[heads.length];
    for (int cluster = 0; cluster < heads.length; cluster++) {
      of[heads[cluster]] = cluster;
      load[cluster] = 1;
    }
  }

  int[] clusters() {
    return of;
  }

  boolean succeeds() {
    return everybodyReachesSome() && fill(rule.least(), false) && fill(rule.most(of.length), true);
  }

  private boolean everybodyReachesSome() {
    for (int client = 0; client < of.length; client++) {
      boolean any = false;
      for (int head : heads) {
        any |= situation.reach(client, head);
      }
      if (!any) {
        return false;
      }
    }
    return true;
  }

  /** Places clients until all heads have so many, or until everybody has a place. */
  private boolean fill(int most, boolean everybody) {
    for (int client = 0; client < of.length; client++) {
      if (of[client] == NONE && !place(client, most, new boolean[heads.length]) && everybody) {
        return false;
      }
    }
    return everybody || Arrays.stream(load).allMatch(each -> each >= most);
  }

  /** Finds a place, moving others along if need be; a head stays where it is. */
  private boolean place(int client, int most, boolean[] seen) {
    for (int cluster = 0; cluster < heads.length; cluster++) {
      if (seen[cluster] || !situation.reach(client, heads[cluster])) {
        continue;
      }
      seen[cluster] = true;
      if (load[cluster] < most) {
        of[client] = cluster;
        load[cluster]++;
        return true;
      }
      for (int other = 0; other < of.length; other++) {
        if (of[other] == cluster && other != heads[cluster] && place(other, most, seen)) {
          of[client] = cluster;
          return true;
        }
      }
    }
    return false;
  }
}
