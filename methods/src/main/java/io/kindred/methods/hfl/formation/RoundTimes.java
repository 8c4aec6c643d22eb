package io.kindred.methods.hfl.formation;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * How long a round of each cluster takes with the head that makes it shortest (equations 4 and 5):
 * the minimum over heads of the maximum over members. For two clusters at a time it keeps, for
 * every client of both as a head, the slowest and the second slowest member of each cluster. These
 * give the time of a cluster without any one member, and a candidate looks at few heads: in the
 * order of their second slowest member the search ends as soon as that member is too slow.
 */
final class RoundTimes {
  /** Stands for no head, or no slowest member. */
  private static final int NO_HEAD = -1;

  private final FormationInput input;
  private final ClientAssignment assignment;
  // By cluster of the pair, then by client: times of the slowest and the second slowest member, and
  // the slowest member itself.
  private final double[][] slowest;
  private final double[][] secondSlowest;
  private final int[][] slowestMember;
  private final int[][] heads = new int[2][];
  private final int[] pair = {-1, -1};

  RoundTimes(FormationInput input, ClientAssignment assignment) {
    this.input = input;
    this.assignment = assignment;
    slowest = new double[2][input.clients()];
    secondSlowest = new double[2][input.clients()];
    slowestMember = new int[2][input.clients()];
  }

  double of(int cluster) {
    int head = bestHead(cluster);
    return head == NO_HEAD ? Double.POSITIVE_INFINITY : secondsWithHead(cluster, head);
  }

  double secondsWithHead(int cluster, int head) {
    double longest = 0;
    for (int place = 0; place < assignment.size(cluster); place++) {
      longest = Math.max(longest, input.updateSeconds(assignment.member(cluster, place), head));
    }
    return longest;
  }

  /** The head with the shortest round, the first of several; none if no round ever ends. */
  int bestHead(int cluster) {
    int best = NO_HEAD;
    double shortest = Double.POSITIVE_INFINITY;
    for (int head : assignment.members(cluster)) {
      double time =
          input.heads().mayLead(head) ? secondsWithHead(cluster, head) : Double.POSITIVE_INFINITY;
      if (time < shortest) {
        shortest = time;
        best = head;
      }
    }
    return best;
  }

  /** Prepares for changes between two clusters. */
  void preparePair(int one, int other) {
    pair[0] = one;
    pair[1] = other;
    for (int side = 0; side < 2; side++) {
      for (int in = 0; in < 2; in++) {
        for (int place = 0; place < assignment.size(pair[in]); place++) {
          int head = assignment.member(pair[in], place);
          slowest[side][head] = Double.NEGATIVE_INFINITY;
          secondSlowest[side][head] = Double.NEGATIVE_INFINITY;
          slowestMember[side][head] = NO_HEAD;
        }
      }
      for (int place = 0; place < assignment.size(pair[side]); place++) {
        updateSlowest(side, assignment.member(pair[side], place));
      }
      double[] bound = secondSlowest[side];
      heads[side] =
          IntStream.of(assignment.members(pair[side]))
              .filter(input.heads()::mayLead)
              .boxed()
              .sorted(Comparator.comparingDouble((Integer head) -> bound[head]))
              .mapToInt(Integer::intValue)
              .toArray();
    }
  }

  private void updateSlowest(int side, int member) {
    for (int in = 0; in < 2; in++) {
      for (int place = 0; place < assignment.size(pair[in]); place++) {
        int head = assignment.member(pair[in], place);
        double time = input.updateSeconds(member, head);
        if (time > slowest[side][head]) {
          secondSlowest[side][head] = slowest[side][head];
          slowest[side][head] = time;
          slowestMember[side][head] = member;
        } else if (time > secondSlowest[side][head]) {
          secondSlowest[side][head] = time;
        }
      }
    }
  }

  /**
   * How long a round of a cluster would take if one client left and one joined.
   *
   * @param side which cluster of the prepared pair, 0 or 1
   */
  double afterChange(int side, int leaving, int joining) {
    double best =
        joining == Divergence.NO_CLIENT || !input.heads().mayLead(joining)
            ? Double.POSITIVE_INFINITY
            : Math.max(slowestWithout(side, joining, leaving), input.computeSeconds()[joining]);
    for (int head : heads[side]) {
      if (secondSlowest[side][head] >= best) {
        break;
      }
      if (head != leaving) {
        double time = slowestWithout(side, head, leaving);
        if (joining != Divergence.NO_CLIENT) {
          time = Math.max(time, input.updateSeconds(joining, head));
        }
        best = Math.min(best, time);
      }
    }
    return best;
  }

  private double slowestWithout(int side, int head, int leaving) {
    return slowestMember[side][head] == leaving ? secondSlowest[side][head] : slowest[side][head];
  }
}
