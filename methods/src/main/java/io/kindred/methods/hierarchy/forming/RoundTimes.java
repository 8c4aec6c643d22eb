package io.kindred.methods.hierarchy.forming;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * How long a round of each cluster takes with the head that makes it shortest (equations 4 and 5):
 * the least over heads of the longest over members. For two clusters at a time it keeps, for
 * everybody in both as a head, the slowest and the second slowest member of each; then it is known
 * how slow the cluster is without any one of them, and a candidate looks at few heads: in the order
 * of their second slowest member the search ends as soon as that one is too slow.
 */
final class RoundTimes {
  /** Nobody is a head of nobody. */
  private static final int NO_HEAD = -1;

  private final Situation situation;
  private final Clustering clustering;
  // By cluster of the pair, then by client: the slowest, who that is, and the second slowest.
  private final double[][] slowest;
  private final double[][] second;
  private final int[][] who;
  private final int[][] heads = new int[2][];
  private final int[] pair = {-1, -1};

  RoundTimes(Situation situation, Clustering clustering) {
    this.situation = situation;
    this.clustering = clustering;
    slowest = new double[2][situation.clients()];
    second = new double[2][situation.clients()];
    who = new int[2][situation.clients()];
  }

  double of(int cluster) {
    int head = head(cluster);
    return head == NO_HEAD ? Double.POSITIVE_INFINITY : ofHead(cluster, head);
  }

  double ofHead(int cluster, int head) {
    double longest = 0;
    for (int place = 0; place < clustering.size(cluster); place++) {
      longest = Math.max(longest, situation.seconds(clustering.member(cluster, place), head));
    }
    return longest;
  }

  /** The head with the shortest round, the first of several; none if no round ever ends. */
  int head(int cluster) {
    int best = NO_HEAD;
    double shortest = Double.POSITIVE_INFINITY;
    for (int head : clustering.members(cluster)) {
      double time = ofHead(cluster, head);
      if (time < shortest) {
        shortest = time;
        best = head;
      }
    }
    return best;
  }

  /** Gets ready for changes between two clusters. */
  void look(int one, int other) {
    pair[0] = one;
    pair[1] = other;
    for (int side = 0; side < 2; side++) {
      for (int in = 0; in < 2; in++) {
        for (int place = 0; place < clustering.size(pair[in]); place++) {
          int head = clustering.member(pair[in], place);
          slowest[side][head] = Double.NEGATIVE_INFINITY;
          second[side][head] = Double.NEGATIVE_INFINITY;
          who[side][head] = NO_HEAD;
        }
      }
      for (int place = 0; place < clustering.size(pair[side]); place++) {
        lookAt(side, clustering.member(pair[side], place));
      }
      double[] bound = second[side];
      heads[side] =
          IntStream.of(clustering.members(pair[side]))
              .boxed()
              .sorted(Comparator.comparingDouble((Integer head) -> bound[head]))
              .mapToInt(Integer::intValue)
              .toArray();
    }
  }

  private void lookAt(int side, int member) {
    for (int in = 0; in < 2; in++) {
      for (int place = 0; place < clustering.size(pair[in]); place++) {
        int head = clustering.member(pair[in], place);
        double time = situation.seconds(member, head);
        if (time > slowest[side][head]) {
          second[side][head] = slowest[side][head];
          slowest[side][head] = time;
          who[side][head] = member;
        } else if (time > second[side][head]) {
          second[side][head] = time;
        }
      }
    }
  }

  /**
   * How long a round would take if one left and one joined.
   *
   * @param side which cluster of the pair that was looked at, 0 or 1
   */
  double after(int side, int leaving, int joining) {
    double best =
        joining == Divergence.NOBODY
            ? Double.POSITIVE_INFINITY
            : Math.max(without(side, joining, leaving), situation.computing()[joining]);
    for (int head : heads[side]) {
      if (second[side][head] >= best) {
        break;
      }
      if (head != leaving) {
        double time = without(side, head, leaving);
        if (joining != Divergence.NOBODY) {
          time = Math.max(time, situation.seconds(joining, head));
        }
        best = Math.min(best, time);
      }
    }
    return best;
  }

  private double without(int side, int head, int leaving) {
    return who[side][head] == leaving ? second[side][head] : slowest[side][head];
  }
}
