package io.kindred.methods.contract;

import java.util.List;

/**
 * Where a peer continues that others claim to be ahead of. Claims of other peers are not trusted:
 * several claims count by their lower median, so that one false claim among them moves nobody, and
 * a claim that stands alone moves a peer by a bounded step and never into the last round.
 */
public final class ClaimedRounds {
  private static final int MIN_STEP = 2;
  private static final int STEPS_PER_RUN = 10;

  private ClaimedRounds() {}

  /**
   * The round that others have reached as far as a peer believes it; 0 if nobody claims a round.
   *
   * @param claims one for each peer that was heard
   * @param round the peer's own round
   * @param rounds all rounds of the run
   */
  public static int reached(List<Integer> claims, int round, int rounds) {
    if (claims.isEmpty()) {
      return 0;
    }
    int median = claims.stream().sorted().toList().get((claims.size() - 1) / 2);
    if (claims.size() > 1 || median <= round) {
      return median;
    }
    int step = Math.max(MIN_STEP, rounds / STEPS_PER_RUN);
    return Math.max(round, Math.min(Math.min(median, round + step), rounds - 1));
  }
}
