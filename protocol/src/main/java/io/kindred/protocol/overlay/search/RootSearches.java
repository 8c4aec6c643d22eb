package io.kindred.protocol.overlay.search;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.overlay.ClusterReplica;
import io.kindred.protocol.overlay.ClusterScores;
import io.kindred.protocol.overlay.Copies;
import io.kindred.protocol.overlay.QueryId;
import io.kindred.protocol.overlay.SearchCost;
import io.kindred.protocol.overlay.SearchMessage.ChildScores;
import io.kindred.protocol.overlay.SearchMessage.QueryAscent;
import io.kindred.protocol.overlay.SearchMessage.QueryDescent;
import io.kindred.protocol.overlay.SearchMessage.QuerySpec;
import io.kindred.protocol.overlay.SearchMessage.ScoredCluster;
import io.kindred.protocol.overlay.SearchMessage.SearchReply;
import io.kindred.protocol.overlay.SearchMessage.SubtreeResult;
import io.kindred.protocol.overlay.SearchRule;
import io.kindred.protocol.overlay.Threshold;
import io.kindred.protocol.signature.QuantileSketch;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs searches at the root super-peer that a query reached. With a beam per super-peer it sends
 * the query down the hierarchy and merges the results. Where all visits together are limited, it
 * selects every cluster that is visited ({@link VisitPlan}): only a peer that sees all branches can
 * keep the best of them. With too few candidates it relaxes the threshold and descends again, to
 * clusters that were not visited where it selects them itself (section 3.5).
 */
final class RootSearches {
  private final SearchStep overlayStep;

  RootSearches(SearchStep step) {
    this.overlayStep = step;
  }

  void start(QueryAscent queryAscent, ClusterReplica replica) {
    QuerySpec querySpec = queryAscent.spec();
    if (overlayStep.queries().isKnown(querySpec.id())) {
      // A duplicate, perhaps after the end of the search: a second search would find nothing new,
      // and its empty result could overtake the first one.
      overlayStep.count("overlay-query-repeated");
      return;
    }
    List<ScoredCluster> roots =
        overlayStep.scoreClusters(
            querySpec.signature(),
            ClusterScores.withoutAsker(List.copyOf(replica.roots().values()), querySpec.id()));
    double threshold =
        queryAscent.threshold().orElseGet(() -> initialThreshold(querySpec, replica, roots));
    SearchCost searchCost =
        SearchCost.visit(roots.size(), ClusterScores.countPassing(roots, threshold));
    advance(
        RootSearch.of(
            querySpec, replica.descriptor().zone().level(), threshold, roots, searchCost));
  }

  /**
   * For a peer that has not searched yet: the threshold that the wanted share of the prototypes
   * known here passes.
   */
  private double initialThreshold(
      QuerySpec querySpec, ClusterReplica replica, List<ScoredCluster> roots) {
    List<ScoredCluster> known = new ArrayList<>(roots);
    known.addAll(overlayStep.scoreClusters(querySpec.signature(), replica.children()));
    QuantileSketch seen = QuantileSketch.empty();
    for (ScoredCluster each : known) {
      seen = Threshold.observe(seen, each.similarity());
    }
    return Threshold.initial(seen, overlayStep.settings().threshold()).value();
  }

  private void put(RootSearch search) {
    QueryTable queryTable = overlayStep.queries();
    overlayStep.put(
        queryTable.withRootSearches(
            Copies.with(queryTable.rootSearches(), search.spec().id(), search)));
  }

  /** Queries the next clusters, or ends the attempt where there are none. */
  private void advance(RootSearch search) {
    RootSearch now = search;
    while (true) {
      RootSearch asking = VisitPlan.selectNext(now);
      if (!asking.pending().isEmpty()) {
        sendQueries(asking);
        return;
      }
      if (asking.level() > 1 && isLevelBeam(asking)) {
        now = asking.withPending(asking.level() - 1, asking.unvisited(), asking.pending());
      } else if (shouldRetry(asking)) {
        now = reopened(asking.retry(relaxedThreshold(asking)));
      } else {
        finish(asking);
        return;
      }
    }
  }

  private static RootSearch reopened(RootSearch search) {
    return isBestFirst(search) ? VisitPlan.reopen(search) : search;
  }

  private static boolean isBestFirst(RootSearch search) {
    return search.spec().rule().isLedByRoot() && !isLevelBeam(search);
  }

  private static boolean isLevelBeam(RootSearch search) {
    return search.spec().rule().beamScope() == SearchRule.BeamScope.LEVEL;
  }

  private void sendQueries(RootSearch search) {
    QueryId id = search.spec().id();
    put(search.withTimer(overlayStep.startSearchTimer(search.depth() + 1)));
    for (ScoredCluster each : search.pending().values()) {
      overlayStep.send(
          ClusterScores.pickReplica(overlayStep.self(), each.replicas(), id),
          new QueryDescent(search.spec(), each.cluster(), search.threshold(), search.attempt()));
    }
  }

  /**
   * Whether too few candidates pass, and there is something left to relax, to visit and to find.
   */
  private static boolean shouldRetry(RootSearch search) {
    SearchRule rule = search.spec().rule();
    boolean exhausted = rule.isLedByRoot() && search.unvisited().isEmpty();
    return rule.beamScope() != SearchRule.BeamScope.BEST
        && !exhausted
        && new Threshold(search.threshold())
            .shouldRetry(search.acceptedCount(), search.spec().wanted(), search.visitsLeft());
  }

  /**
   * The threshold lowered by as many steps as let the wanted number of known candidates pass; with
   * fewer candidates than that, by twice as many steps as the last time.
   */
  private double relaxedThreshold(RootSearch search) {
    int wanted = search.spec().wanted();
    double step = overlayStep.settings().threshold().relaxation();
    double steps = 1L << Math.min(search.attempt(), 30);
    if (search.candidates().size() >= wanted) {
      double least = search.candidates().get(wanted - 1).similarity();
      steps = Math.max(1, Math.ceil((search.threshold() - least) / step));
    }
    return Math.max(Threshold.ACCEPT_ALL.value(), search.threshold() - steps * step);
  }

  private void finish(RootSearch search) {
    QueryId id = search.spec().id();
    overlayStep.put(overlayStep.queries().withFinished(id));
    overlayStep.send(
        id.peer(),
        new SearchReply(
            id,
            search.spec().answerKey(),
            search.candidates(),
            search.threshold(),
            search.attempt() + 1,
            search.cost()));
  }

  void replyReceived(PeerId from, SubtreeResult subtreeResult) {
    RootSearch search = overlayStep.queries().rootSearches().get(subtreeResult.id());
    if (search == null || !search.asked(from, subtreeResult.cluster())) {
      overlayStep.refuse(subtreeResult);
    } else if (search.isPending(subtreeResult.cluster(), subtreeResult.attempt())) {
      proceed(search.withReply(subtreeResult));
    } else if (search.isLate(subtreeResult.cluster(), subtreeResult.attempt())) {
      overlayStep.count("overlay-late-answer");
      put(search.withLateReply(subtreeResult));
    } else {
      overlayStep.refuse(subtreeResult);
    }
  }

  void replyReceived(PeerId from, ChildScores childScores) {
    RootSearch search = overlayStep.queries().rootSearches().get(childScores.id());
    if (search == null || !search.asked(from, childScores.cluster())) {
      overlayStep.refuse(childScores);
    } else if (search.isPending(childScores.cluster(), childScores.attempt())) {
      proceed(search.withReply(childScores));
    } else if (search.isLate(childScores.cluster(), childScores.attempt())) {
      overlayStep.count("overlay-late-answer");
      put(search.withReply(childScores));
    } else {
      overlayStep.refuse(childScores);
    }
  }

  private void proceed(RootSearch search) {
    if (!search.pending().isEmpty()) {
      put(search);
    } else if (isLevelBeam(search) && search.level() > 1) {
      advance(search.withPending(search.level() - 1, search.unvisited(), search.pending()));
    } else if (isBestFirst(search)) {
      advance(search);
    } else if (shouldRetry(search)) {
      advance(search.retry(relaxedThreshold(search)));
    } else {
      finish(search);
    }
  }

  boolean timedOut(long timerNumber) {
    for (RootSearch search : overlayStep.queries().rootSearches().values()) {
      if (search.timerNumber() == timerNumber) {
        overlayStep.count("overlay-answers-missing");
        proceed(search.abandonPending());
        return true;
      }
    }
    return false;
  }

  /** Tries the next replica of the cluster; false where this peer does not run the root search. */
  boolean deliveryFailed(PeerId to, QueryDescent queryDescent) {
    RootSearch search = overlayStep.queries().rootSearches().get(queryDescent.spec().id());
    ScoredCluster scoredCluster =
        search == null ? null : search.pending().get(queryDescent.cluster());
    if (search == null || scoredCluster == null) {
      return false;
    }
    ClusterScores.nextReplica(
            overlayStep.self(), scoredCluster.replicas(), to, queryDescent.spec().id())
        .ifPresentOrElse(
            next -> overlayStep.send(next, queryDescent),
            () -> proceed(search.without(queryDescent.cluster())));
    return true;
  }
}
