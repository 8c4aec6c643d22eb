package io.kindred.methods.hfl.formation;

import io.kindred.core.random.RandomStream;
import java.util.Arrays;

/**
 * Searches a better clustering by exchanging two clients of two clusters, or moving one client, as
 * long as sizes allow (algorithms 2 and 3; moves go in both directions, of which algorithm 3 codes
 * one). If every cluster has a head at the start, it has one at the end.
 */
public final class SwapSearch {
  private final ClientAssignment assignment;
  private final Divergence divergence;
  private final RoundTimes times;
  private final SwapSettings.Choice choose;
  private final ChangeCriterion criterion;
  private final HeadChoice heads;
  private final RandomStream random;
  private final int minSize;
  private final int maxSize;

  /** Decides whether a change is allowed, and scores it. */
  interface ChangeCriterion {
    boolean allows(SwapCriteria.PairMetrics before, SwapCriteria.PairMetrics after);

    double score(SwapCriteria.PairMetrics before, SwapCriteria.PairMetrics after);

    /** Whether moves of a single client are considered, or only swaps. */
    default boolean allowsMoves() {
      return true;
    }

    /** Whether the criterion needs times, which cost the most. */
    default boolean needsTimes() {
      return true;
    }
  }

  /** Candidate changes of one pair of clusters, and the one chosen so far. */
  private final class Candidates {
    private final int one;
    private final int other;
    private final SwapCriteria.PairMetrics before;
    private int valid;
    private int fromOne = Divergence.NO_CLIENT;
    private int fromOther = Divergence.NO_CLIENT;
    private double bestScore = Double.POSITIVE_INFINITY;

    private Candidates(int one, int other, SwapCriteria.PairMetrics before) {
      this.one = one;
      this.other = other;
      this.before = before;
    }

    private void consider(int leavesOne, int leavesOther) {
      SwapCriteria.PairMetrics after =
          new SwapCriteria.PairMetrics(
              divergence.afterChange(one, leavesOne, leavesOther),
              criterion.needsTimes() ? times.afterChange(0, leavesOne, leavesOther) : 1,
              divergence.afterChange(other, leavesOther, leavesOne),
              criterion.needsTimes() ? times.afterChange(1, leavesOther, leavesOne) : 1);
      if (!criterion.allows(before, after)) {
        return;
      }
      valid++;
      boolean taken =
          switch (choose) {
            // Reservoir sampling: each valid change so far is chosen with equal probability.
            case RANDOM -> random.nextInt(valid) == 0;
            case BEST -> criterion.score(before, after) < bestScore;
          };
      if (taken) {
        fromOne = leavesOne;
        fromOther = leavesOther;
        bestScore = choose == SwapSettings.Choice.BEST ? criterion.score(before, after) : bestScore;
      }
    }
  }

  SwapSearch(
      FormationInput input,
      ClientAssignment start,
      ChangeCriterion changeCriterion,
      SwapSettings.Choice choose,
      int least,
      int most,
      RandomStream random) {
    this.assignment = start.copy();
    this.criterion = changeCriterion;
    this.choose = choose;
    this.minSize = least;
    this.maxSize = most;
    this.random = random;
    heads = input.heads();
    divergence = input.divergence(assignment);
    times = new RoundTimes(input, assignment);
  }

  /** A search for clusters by angle and time. */
  public static SwapSearch of(
      FormationInput input, ClientAssignment start, FormationSettings rule, RandomStream random) {
    SwapCriteria swapCriteria = rule.swap().criteria();
    ChangeCriterion changeCriterion =
        new ChangeCriterion() {
          @Override
          public boolean allows(SwapCriteria.PairMetrics before, SwapCriteria.PairMetrics after) {
            return swapCriteria.allows(before, after);
          }

          @Override
          public double score(SwapCriteria.PairMetrics before, SwapCriteria.PairMetrics after) {
            return swapCriteria.score(before, after);
          }
        };
    int most = rule.most(input.clients());
    return new SwapSearch(
        input, start, changeCriterion, rule.swap().choose(), rule.least(), most, random);
  }

  /** Runs so many trials; returns how many of them changed something. */
  public int run(int trials) {
    int changes = 0;
    for (int trial = 0; trial < trials && assignment.clusters() > 1; trial++) {
      changes += trial() ? 1 : 0;
    }
    return changes;
  }

  /** Tries all changes between two clusters and makes one of those that are allowed. */
  public boolean trial() {
    int one = random.nextInt(assignment.clusters());
    int other = (one + 1 + random.nextInt(assignment.clusters() - 1)) % assignment.clusters();
    times.preparePair(one, other);
    Candidates candidates =
        new Candidates(
            one,
            other,
            new SwapCriteria.PairMetrics(
                divergence.of(one), timeOf(0), divergence.of(other), timeOf(1)));
    considerAll(candidates);
    if (candidates.valid == 0) {
      return false;
    }
    updateDivergence(one, candidates.fromOne, candidates.fromOther);
    updateDivergence(other, candidates.fromOther, candidates.fromOne);
    move(candidates.fromOne, other);
    move(candidates.fromOther, one);
    return true;
  }

  private double timeOf(int side) {
    return criterion.needsTimes()
        ? times.afterChange(side, Divergence.NO_CLIENT, Divergence.NO_CLIENT)
        : 1;
  }

  private void considerAll(Candidates candidates) {
    int[] ofOne = movable(candidates.one);
    int[] ofOther = movable(candidates.other);
    int sizeOfOne = assignment.size(candidates.one);
    int sizeOfOther = assignment.size(candidates.other);
    for (int leavesOne : ofOne) {
      for (int leavesOther : ofOther) {
        candidates.consider(leavesOne, leavesOther);
      }
    }
    if (criterion.allowsMoves() && sizeOfOne > minSize && sizeOfOther < maxSize) {
      for (int leavesOne : ofOne) {
        candidates.consider(leavesOne, Divergence.NO_CLIENT);
      }
    }
    if (criterion.allowsMoves() && sizeOfOther > minSize && sizeOfOne < maxSize) {
      for (int leavesOther : ofOther) {
        candidates.consider(Divergence.NO_CLIENT, leavesOther);
      }
    }
  }

  /** The members of a cluster without its fixed head. */
  private int[] movable(int cluster) {
    return Arrays.stream(assignment.members(cluster))
        .filter(client -> !heads.isFixedHead(client))
        .toArray();
  }

  private void updateDivergence(int cluster, int leaving, int joining) {
    divergence.applyChange(cluster, leaving, joining);
  }

  private void move(int client, int cluster) {
    if (client != Divergence.NO_CLIENT) {
      assignment.move(client, cluster);
    }
  }

  public ClientAssignment clustering() {
    return assignment;
  }

  /** Angle or skew of a cluster, updated incrementally. */
  double divergence(int cluster) {
    return divergence.of(cluster);
  }
}
