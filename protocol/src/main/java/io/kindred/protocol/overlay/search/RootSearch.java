package io.kindred.protocol.overlay.search;

import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.overlay.Copies;
import io.kindred.protocol.overlay.SearchCost;
import io.kindred.protocol.overlay.SearchMessage;
import io.kindred.protocol.overlay.SearchMessage.QuerySpec;
import io.kindred.protocol.overlay.SearchMessage.ScoredCluster;
import io.kindred.protocol.overlay.SearchRule;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A query at the root super-peer that runs its search, attempt by attempt.
 *
 * @param unvisited known clusters that were not visited and are not open; where the root does not
 *     lead the search all root clusters
 * @param open clusters that a best-first search visits as long as visits are left
 * @param level level of the clusters that were queried last
 * @param abandoned clusters whose answers were late: the search no longer waits for them, but still
 *     uses their candidates
 */
@Buildable
public record RootSearch(
    QuerySpec spec,
    int depth,
    double threshold,
    int attempt,
    int level,
    List<ScoredCluster> unvisited,
    List<ScoredCluster> open,
    SortedMap<ClusterId, ScoredCluster> pending,
    SortedMap<ClusterId, ScoredCluster> abandoned,
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
    boolean bestFirst =
        querySpec.rule().isLedByRoot()
            && querySpec.rule().beamScope() != SearchRule.BeamScope.LEVEL;
    RootSearch search =
        new RootSearch(
            querySpec,
            depth,
            threshold,
            0,
            depth,
            bestFirst ? List.of() : roots,
            List.of(),
            new TreeMap<>(),
            new TreeMap<>(),
            List.of(),
            searchCost,
            false,
            -1);
    return bestFirst ? VisitPlan.open(search, roots) : search;
  }

  int acceptedCount() {
    int count = 0;
    for (Candidate each : candidates) {
      count += each.similarity() >= threshold ? 1 : 0;
    }
    return count;
  }

  /** Whether this peer was asked about a cluster: it is a replica of a cluster that was queried. */
  boolean asked(PeerId peer, ClusterId cluster) {
    ScoredCluster queried = pending.getOrDefault(cluster, abandoned.get(cluster));
    return queried != null && queried.replicas().contains(peer);
  }

  /** Whether the search waits for this cluster's reply to this attempt. */
  boolean isPending(ClusterId cluster, int replyAttempt) {
    return attempt == replyAttempt && pending.containsKey(cluster);
  }

  /** Whether a reply is one that the search has stopped waiting for. */
  boolean isLate(ClusterId cluster, int replyAttempt) {
    return replyAttempt < attempt || (replyAttempt == attempt && abandoned.containsKey(cluster));
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

  RootSearch withOpen(List<ScoredCluster> next) {
    return RootSearchBuilder.from(this).open(next).build();
  }

  /** No longer waits for a cluster, none of whose replicas can be reached. */
  RootSearch without(ClusterId cluster) {
    return RootSearchBuilder.from(this).pending(Copies.without(pending, cluster)).build();
  }

  /** No longer waits for the clusters that have not answered. */
  RootSearch abandonPending() {
    SortedMap<ClusterId, ScoredCluster> late = new TreeMap<>(abandoned);
    late.putAll(pending);
    return RootSearchBuilder.from(this).pending(new TreeMap<>()).abandoned(late).build();
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

  /** With the candidates of a late reply; the search still waits for what it waited for. */
  RootSearch withLateReply(SearchMessage.SubtreeResult subtreeResult) {
    return RootSearchBuilder.from(this)
        .abandoned(Copies.without(abandoned, subtreeResult.cluster()))
        .candidates(Candidate.merge(candidates, subtreeResult.candidates(), spec.wanted()))
        .cost(cost.plus(subtreeResult.cost()))
        .build();
  }

  RootSearch withReply(SearchMessage.ChildScores childScores) {
    RootSearch answered =
        RootSearchBuilder.from(this)
            .pending(Copies.without(pending, childScores.cluster()))
            .abandoned(Copies.without(abandoned, childScores.cluster()))
            .cost(cost.plus(childScores.cost()))
            .build();
    return VisitPlan.open(answered, childScores.children());
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
