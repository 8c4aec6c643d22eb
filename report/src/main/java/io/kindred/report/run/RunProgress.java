package io.kindred.report.run;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * How far an unfinished run has come. Fast peers report a round long before slow ones, so the
 * newest round says what the fastest peers reach; a mean over peers needs a round that all of them
 * have reported.
 *
 * @param round the last round that every live peer has reported, zero where there is none
 * @param rounds the rounds of the whole run, zero if unknown
 * @param reported peers that have reported this round
 * @param peers peers that are evaluated
 */
public record RunProgress(int round, int rounds, int reported, int peers) {
  /**
   * A peer that is further behind the median peer, in evaluated rounds, counts as absent. Without
   * such a bound, one peer that left for good would stop the report for ever.
   */
  private static final int MOST_ROUNDS_BEHIND = 3;

  /** The progress that the metrics show; empty if they have no line. */
  static Optional<RunProgress> of(Evaluations evaluations, FlatDocument settings) {
    Stage stage = evaluations.mainStage();
    List<Integer> evaluated = evaluations.rounds(stage);
    if (evaluated.isEmpty()) {
      return Optional.empty();
    }
    int peers = Math.max(evaluatedPeers(settings), evaluations.peerCount());
    int last = lastCommonRound(evaluations.lastRounds(stage), evaluated, peers);
    int round = last < 0 ? 0 : evaluated.get(last);
    double planned = settings.number("rounds");
    return Optional.of(
        new RunProgress(
            round,
            Double.isFinite(planned) ? (int) planned : 0,
            evaluations.reportCount(stage, round),
            peers));
  }

  /** The position of the round among the evaluated ones, -1 if there is none. */
  private static int lastCommonRound(List<Integer> lastRounds, List<Integer> evaluated, int peers) {
    List<Integer> positions = new ArrayList<>();
    lastRounds.forEach(round -> positions.add(evaluated.indexOf(round)));
    while (positions.size() < peers) {
      positions.add(-1);
    }
    Collections.sort(positions);
    // Of two middle ones the slower: a run of two peers waits for both.
    int median = positions.get((positions.size() - 1) / 2);
    return positions.stream()
        .filter(position -> position >= median - MOST_ROUNDS_BEHIND)
        .findFirst()
        .orElseThrow();
  }

  private static int evaluatedPeers(FlatDocument settings) {
    int named = 0;
    while (!settings.text("evaluation.peers[" + named + "]").isEmpty()) {
      named++;
    }
    double all = settings.number("peers");
    return named > 0 ? named : Double.isFinite(all) ? (int) all : 0;
  }

  /** As in {@code round 12/20, 30/30 peers}. */
  public String text() {
    return "round "
        + round
        + (rounds > 0 ? "/" + rounds : "")
        + (round > 0 ? ", " + reported + "/" + peers + " peers" : "");
  }
}
