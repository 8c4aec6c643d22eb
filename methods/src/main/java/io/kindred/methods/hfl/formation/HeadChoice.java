package io.kindred.methods.hfl.formation;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Which clients may be heads, and which of them is taken. Clients are numbered as in {@link
 * FormationInput}; arrays are shared and only read.
 *
 * @param fixed the fixed heads, one for each cluster in this order; empty if any client may lead
 * @param spentJoules energy that each client has spent; empty if energy does not count
 * @param slack how many times as long as the shortest a round may take to spare a client
 */
@SuppressWarnings("ArrayRecordComponent") // made once, read millions of times, compared never
public record HeadChoice(int[] fixed, double[] spentJoules, double slack) {
  /** Any client may lead, and the one with the shortest round does. */
  public static final HeadChoice BY_TIME = new HeadChoice(new int[0], new double[0], 1);

  /**
   * A client as the head of a cluster.
   *
   * @param missed members that it cannot reach
   * @param longest seconds of its slowest member, which a round takes
   */
  record Candidate(int client, int missed, double longest) {}

  public boolean isFixed() {
    return fixed.length > 0;
  }

  boolean mayLead(int client) {
    return !isFixed() || isFixedHead(client);
  }

  /** Whether a client is the fixed head of its cluster, which it cannot leave. */
  boolean isFixedHead(int client) {
    for (int head : fixed) {
      if (head == client) {
        return true;
      }
    }
    return false;
  }

  /** The first fixed heads, for so many clusters; the others become members. */
  HeadChoice first(int count) {
    return isFixed() ? new HeadChoice(Arrays.copyOf(fixed, count), spentJoules, slack) : this;
  }

  /** The one with the fewest unreachable members, and among those the shortest round. */
  Candidate best(List<Candidate> candidates) {
    Comparator<Candidate> byTime =
        Comparator.comparingInt(Candidate::missed).thenComparingDouble(Candidate::longest);
    Candidate fastest = candidates.stream().min(byTime).orElseThrow();
    if (spentJoules.length == 0) {
      return fastest;
    }
    return candidates.stream()
        .filter(
            each ->
                each.missed() == fastest.missed() && each.longest() <= slack * fastest.longest())
        .min(
            Comparator.comparingDouble((Candidate each) -> spentJoules[each.client()])
                .thenComparing(byTime))
        .orElse(fastest);
  }
}
