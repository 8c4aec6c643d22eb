package io.kindred.protocol.overlay;

import io.kindred.protocol.clusters.ClusterId;
import io.kindred.protocol.overlay.SearchMessage.Branch;
import io.kindred.protocol.overlay.SearchMessage.Sought;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A query at the top super-peer that it reached: this one leads it, attempt by attempt.
 *
 * @param open clusters that are known and were not visited; all top ones for a beam per super-peer
 * @param level of the clusters that were asked last
 */
record Entry(
    Sought sought,
    int depth,
    double threshold,
    int attempt,
    int level,
    List<Branch> open,
    SortedMap<ClusterId, Branch> awaited,
    List<Candidate> candidates,
    Tally tally,
    boolean fruitful,
    long alarm) {
  static Entry of(Sought sought, int depth, double threshold, List<Branch> roots, Tally tally) {
    return new Entry(
        sought, depth, threshold, 0, depth, roots, new TreeMap<>(), List.of(), tally, false, -1);
  }

  int accepted() {
    int count = 0;
    for (Candidate each : candidates) {
      count += each.similarity() >= threshold ? 1 : 0;
    }
    return count;
  }

  /** Whether an answer is one to the present attempt. */
  boolean isAwaiting(ClusterId cluster, int to) {
    return attempt == to && awaited.containsKey(cluster);
  }

  int visitsLeft() {
    int budget = sought.rule().budget(depth);
    return Math.max(0, budget - tally.visited());
  }

  Entry asking(int onLevel, List<Branch> stillOpen, SortedMap<ClusterId, Branch> asked) {
    return new Entry(
        sought,
        depth,
        threshold,
        attempt,
        onLevel,
        stillOpen,
        asked,
        candidates,
        tally,
        fruitful || !asked.isEmpty(),
        alarm);
  }

  Entry with(SortedMap<ClusterId, Branch> next) {
    return new Entry(
        sought, depth, threshold, attempt, level, open, next, candidates, tally, fruitful, alarm);
  }

  Entry watched(long number) {
    return new Entry(
        sought,
        depth,
        threshold,
        attempt,
        level,
        open,
        awaited,
        candidates,
        tally,
        fruitful,
        number);
  }

  Entry heard(SearchMessage.Answer answer) {
    return new Entry(
        sought,
        depth,
        threshold,
        attempt,
        level,
        open,
        Rows.without(awaited, answer.at()),
        Candidate.merge(candidates, answer.candidates(), sought.wanted()),
        tally.plus(answer.tally()),
        fruitful,
        alarm);
  }

  Entry heard(SearchMessage.Branches branches) {
    List<Branch> more = new ArrayList<>(open);
    more.addAll(branches.branches());
    return new Entry(
        sought,
        depth,
        threshold,
        attempt,
        level,
        more,
        Rows.without(awaited, branches.at()),
        candidates,
        tally.plus(branches.tally()),
        fruitful,
        alarm);
  }

  /** Starts again at the top with a lower threshold. */
  Entry again(double lower) {
    return new Entry(
        sought, depth, lower, attempt + 1, depth, open, awaited, candidates, tally, false, alarm);
  }
}
