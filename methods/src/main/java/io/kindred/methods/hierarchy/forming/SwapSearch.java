package io.kindred.methods.hierarchy.forming;

import io.kindred.core.random.RandomStream;

/**
 * Searches a better clustering by exchanging two clients of two clusters, or moving one, as long as
 * sizes allow (algorithms 2 and 3; moves go both ways, of which algorithm 3 codes one). A
 * clustering in which every cluster has a head stays one.
 */
public final class SwapSearch {
  private final Clustering clustering;
  private final Divergence divergence;
  private final RoundTimes times;
  private final SwapRule.Choice choose;
  private final Judge judge;
  private final RandomStream random;
  private final int least;
  private final int most;

  /** Says whether a change is allowed and how good it is. */
  interface Judge {
    boolean allows(Criteria.Figures before, Criteria.Figures after);

    double score(Criteria.Figures before, Criteria.Figures after);

    /** Whether moves of a single client are considered, or only swaps. */
    default boolean moves() {
      return true;
    }

    /** Whether it asks for times; they cost the most. */
    default boolean asksForTimes() {
      return true;
    }
  }

  /** Changes of the pair that was drawn, the chosen one kept. */
  private final class Candidates {
    private final int one;
    private final int other;
    private final Criteria.Figures before;
    private int valid;
    private int fromOne = Divergence.NOBODY;
    private int fromOther = Divergence.NOBODY;
    private double bestScore = Double.POSITIVE_INFINITY;

    private Candidates(int one, int other, Criteria.Figures before) {
      this.one = one;
      this.other = other;
      this.before = before;
    }

    private void consider(int leavesOne, int leavesOther) {
      Criteria.Figures after =
          new Criteria.Figures(
              divergence.after(one, leavesOne, leavesOther),
              judge.asksForTimes() ? times.after(0, leavesOne, leavesOther) : 1,
              divergence.after(other, leavesOther, leavesOne),
              judge.asksForTimes() ? times.after(1, leavesOther, leavesOne) : 1);
      if (!judge.allows(before, after)) {
        return;
      }
      valid++;
      boolean taken =
          switch (choose) {
            // Each of those seen so far is as likely to be the one that is kept.
            case RANDOM -> random.nextInt(valid) == 0;
            case BEST -> judge.score(before, after) < bestScore;
          };
      if (taken) {
        fromOne = leavesOne;
        fromOther = leavesOther;
        bestScore = choose == SwapRule.Choice.BEST ? judge.score(before, after) : bestScore;
      }
    }
  }

  SwapSearch(
      Situation situation,
      Clustering start,
      Judge judge,
      SwapRule.Choice choose,
      int least,
      int most,
      RandomStream random) {
    this.clustering = start.copy();
    this.judge = judge;
    this.choose = choose;
    this.least = least;
    this.most = most;
    this.random = random;
    divergence = situation.divergence(clustering);
    times = new RoundTimes(situation, clustering);
  }

  /** A search for clusters by angle and time. */
  public static SwapSearch of(
      Situation situation, Clustering start, Grouping rule, RandomStream random) {
    Criteria criteria = rule.swap().criteria();
    Judge judge =
        new Judge() {
          @Override
          public boolean allows(Criteria.Figures before, Criteria.Figures after) {
            return criteria.allows(before, after);
          }

          @Override
          public double score(Criteria.Figures before, Criteria.Figures after) {
            return criteria.score(before, after);
          }
        };
    int most = rule.most(situation.clients());
    return new SwapSearch(
        situation, start, judge, rule.swap().choose(), rule.least(), most, random);
  }

  /** So many trials; how many of them changed something. */
  public int run(int trials) {
    int changes = 0;
    for (int trial = 0; trial < trials && clustering.clusters() > 1; trial++) {
      changes += trial() ? 1 : 0;
    }
    return changes;
  }

  /** Tries all changes between two clusters and makes one of those that are allowed. */
  public boolean trial() {
    int one = random.nextInt(clustering.clusters());
    int other = (one + 1 + random.nextInt(clustering.clusters() - 1)) % clustering.clusters();
    times.look(one, other);
    Candidates candidates =
        new Candidates(
            one,
            other,
            new Criteria.Figures(divergence.of(one), timeOf(0), divergence.of(other), timeOf(1)));
    generate(candidates);
    if (candidates.valid == 0) {
      return false;
    }
    change(one, candidates.fromOne, candidates.fromOther);
    change(other, candidates.fromOther, candidates.fromOne);
    move(candidates.fromOne, other);
    move(candidates.fromOther, one);
    return true;
  }

  private double timeOf(int side) {
    return judge.asksForTimes() ? times.after(side, Divergence.NOBODY, Divergence.NOBODY) : 1;
  }

  private void generate(Candidates candidates) {
    int[] ofOne = clustering.members(candidates.one);
    int[] ofOther = clustering.members(candidates.other);
    for (int leavesOne : ofOne) {
      for (int leavesOther : ofOther) {
        candidates.consider(leavesOne, leavesOther);
      }
    }
    if (judge.moves() && ofOne.length > least && ofOther.length < most) {
      for (int leavesOne : ofOne) {
        candidates.consider(leavesOne, Divergence.NOBODY);
      }
    }
    if (judge.moves() && ofOther.length > least && ofOne.length < most) {
      for (int leavesOther : ofOther) {
        candidates.consider(Divergence.NOBODY, leavesOther);
      }
    }
  }

  private void change(int cluster, int leaving, int joining) {
    divergence.change(cluster, leaving, joining);
  }

  private void move(int client, int cluster) {
    if (client != Divergence.NOBODY) {
      clustering.move(client, cluster);
    }
  }

  public Clustering clustering() {
    return clustering;
  }

  /** Angle or skew of a cluster as it is kept up to date. */
  double divergence(int cluster) {
    return divergence.of(cluster);
  }
}
