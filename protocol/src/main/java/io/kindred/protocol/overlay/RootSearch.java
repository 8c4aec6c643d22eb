package io.kindred.protocol.overlay;

import io.kindred.core.record.Buildable;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.overlay.SearchMessage.QuerySpec;
import io.kindred.protocol.overlay.SearchMessage.ScoredCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A query at the root super-peer that runs its search, attempt by attempt.
 *
 * @param unvisited known clusters that were not visited; for a beam per super-peer all root
 *     clusters
 * @param level level of the clusters that were queried last
 */
@Buildable
record RootSearch(
    QuerySpec spec,
    int depth,
    double threshold,
    int attempt,
    int level,
    List<ScoredCluster> unvisited,
    SortedMap<ClusterId, ScoredCluster> pending,
    List<Candidate> candidates,
    SearchCost cost,
    boolean attemptStarted,
    long timerNumber) {
  static RootSearch of(
      QuerySpec querySpec,
      int depth,
      double threshold,
      List<ScoredCluster> roots,
      SearchCost searchCost) {
    return new RootSearch(
        querySpec,
        depth,
        threshold,
        0,
        depth,
        roots,
        new TreeMap<>(),
        List.of(),
        searchCost,
        false,
        -1);
  }

  int acceptedCount() {
    int count = 0;
    for (Candidate each : candidates) {
      count += each.similarity() >= threshold ? 1 : 0;
    }
    return count;
  }

  /** Whether the search waits for this cluster's reply to this attempt. */
  boolean isPending(ClusterId cluster, int replyAttempt) {
    return attempt == replyAttempt && pending.containsKey(cluster);
  }

  int visitsLeft() {
    int budget = spec.rule().visitBudget(depth);
    return Math.max(0, budget - cost.visited());
  }

  RootSearch withPending(
      int onLevel,
      List<ScoredCluster> stillUnvisited,
      SortedMap<ClusterId, ScoredCluster> queried) {
    return RootSearchBuilder.from(this)
        .level(onLevel)
        .unvisited(stillUnvisited)
        .pending(queried)
        .attemptStarted(attemptStarted || !queried.isEmpty())
        .build();
  }

  RootSearch with(SortedMap<ClusterId, ScoredCluster> next) {
    return RootSearchBuilder.from(this).pending(next).build();
  }

  RootSearch withTimer(long number) {
    return RootSearchBuilder.from(this).timerNumber(number).build();
  }

  RootSearch withReply(SearchMessage.SubtreeResult subtreeResult) {
    return RootSearchBuilder.from(this)
        .pending(Copies.without(pending, subtreeResult.cluster()))
        .candidates(Candidate.merge(candidates, subtreeResult.candidates(), spec.wanted()))
        .cost(cost.plus(subtreeResult.cost()))
        .build();
  }

  RootSearch withReply(SearchMessage.ChildScores childScores) {
    List<ScoredCluster> more = new ArrayList<>(unvisited);
    more.addAll(childScores.children());
    return RootSearchBuilder.from(this)
        .unvisited(more)
        .pending(Copies.without(pending, childScores.cluster()))
        .cost(cost.plus(childScores.cost()))
        .build();
  }

  /** Starts again at the root with a lower threshold. */
  RootSearch retry(double lower) {
    return RootSearchBuilder.from(this)
        .threshold(lower)
        .attempt(attempt + 1)
        .level(depth)
        .attemptStarted(false)
        .build();
  }
}
