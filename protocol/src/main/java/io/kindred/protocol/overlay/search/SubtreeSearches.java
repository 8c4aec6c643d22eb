package io.kindred.protocol.overlay.search;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.overlay.ClusterReplica;
import io.kindred.protocol.overlay.ClusterScores;
import io.kindred.protocol.overlay.Copies;
import io.kindred.protocol.overlay.QueryDescentBuilder;
import io.kindred.protocol.overlay.QueryId;
import io.kindred.protocol.overlay.SearchCost;
import io.kindred.protocol.overlay.SearchMessage.ChildScores;
import io.kindred.protocol.overlay.SearchMessage.CompareReply;
import io.kindred.protocol.overlay.SearchMessage.CompareRequest;
import io.kindred.protocol.overlay.SearchMessage.QueryDescent;
import io.kindred.protocol.overlay.SearchMessage.ScoredCluster;
import io.kindred.protocol.overlay.SearchMessage.SubtreeResult;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Handles queries on their way down at a super-peer, and results on their way up. */
final class SubtreeSearches {
  private final SearchStep step;

  SubtreeSearches(SearchStep step) {
    this.step = step;
  }

  void queryReceived(PeerId from, QueryDescent queryDescent) {
    ClusterReplica replica = step.replica(queryDescent.cluster());
    SubtreeSearch.Key key = new SubtreeSearch.Key(queryDescent.spec().id(), queryDescent.cluster());
    SubtreeSearch known = step.queries().subtreeSearches().get(key);
    if (isDuplicate(from, key, queryDescent.attempt())) {
      // A duplicate, perhaps after the first was answered with candidates: an empty result or a
      // refusal could overtake that answer.
      step.count("overlay-query-repeated");
    } else if (step.settings().maintenance().enabled()
        && known == null
        && (replica == null || step.isOverloaded())) {
      step.refuseQuery(from, queryDescent);
    } else if (known != null
        && known.replyTo().equals(from)
        && queryDescent.cluster().level() == 1) {
      // The sender no longer waits for the earlier attempt: the comparisons are for the later one.
      step.count("overlay-query-resumed");
      markProcessed(from, key, queryDescent.attempt());
      put(known.forAttempt(queryDescent));
    } else if (replica == null || (known != null && !known.replyTo().equals(from))) {
      step.count(replica == null ? "overlay-no-such-replica" : "overlay-query-repeated");
      answer(from, queryDescent, List.of(), SearchCost.ZERO);
    } else if (queryDescent.cluster().level() == 1) {
      compareAll(from, queryDescent, replica);
    } else {
      forwardToChildren(from, queryDescent, replica);
    }
  }

  private boolean isDuplicate(PeerId from, SubtreeSearch.Key key, int attempt) {
    SubtreeSearch open = step.queries().subtreeSearches().get(key);
    return (open != null && open.replyTo().equals(from) && open.query().attempt() >= attempt)
        || step.queries().processed().stream()
            .anyMatch(each -> each.matches(key, from) && each.attempt() >= attempt);
  }

  private void markProcessed(PeerId from, SubtreeSearch.Key key, int attempt) {
    step.put(step.queries().withProcessed(new SubtreeSearch.ProcessedQuery(key, from, attempt)));
  }

  private void forwardToChildren(PeerId from, QueryDescent queryDescent, ClusterReplica replica) {
    List<ScoredCluster> scoredClusters =
        step.scoreClusters(
            queryDescent.spec().signature(),
            ClusterScores.withoutAsker(replica.children(), queryDescent.spec().id()));
    SearchCost searchCost =
        SearchCost.visit(
            scoredClusters.size(),
            ClusterScores.countPassing(scoredClusters, queryDescent.threshold()));
    QueryId id = queryDescent.spec().id();
    if (queryDescent.spec().rule().isLedByRoot()) {
      step.send(
          from,
          new ChildScores(
              id, queryDescent.cluster(), queryDescent.attempt(), scoredClusters, searchCost));
      return;
    }
    markProcessed(from, new SubtreeSearch.Key(id, queryDescent.cluster()), queryDescent.attempt());
    List<ScoredCluster> chosen =
        ClusterScores.selectBest(
            scoredClusters, queryDescent.threshold(), queryDescent.spec().rule().beam());
    SortedMap<ClusterId, ScoredCluster> awaited = ClusterScores.byCluster(chosen);
    updateOrAnswer(
        new SubtreeSearch(
            from,
            queryDescent,
            awaited,
            List.of(),
            List.of(),
            searchCost,
            startTimer(queryDescent, chosen.isEmpty())));
    for (ScoredCluster each : chosen) {
      step.send(
          ClusterScores.pickReplica(step.self(), each.replicas(), id),
          QueryDescentBuilder.from(queryDescent).cluster(each.cluster()).build());
    }
  }

  private long startTimer(QueryDescent queryDescent, boolean complete) {
    return complete ? -1 : step.startSearchTimer(queryDescent.cluster().level());
  }

  /**
   * Asks the peers of the cluster to compare themselves, once per query. A later attempt gets the
   * comparisons again, and their cost once.
   */
  private void compareAll(PeerId from, QueryDescent queryDescent, ClusterReplica replica) {
    QueryId id = queryDescent.spec().id();
    SubtreeSearch.Key key = new SubtreeSearch.Key(id, queryDescent.cluster());
    Optional<SubtreeSearch.Comparisons> compared = step.queries().comparisons(key);
    if (compared.isPresent()) {
      markProcessed(from, key, queryDescent.attempt());
      step.put(step.queries().withCompared(compared.get().reported()));
      answer(from, queryDescent, compared.get().candidates(), compared.get().unreported());
      return;
    }
    markProcessed(from, key, queryDescent.attempt());
    List<PeerId> others =
        replica.members().stream().filter(peer -> !peer.equals(id.peer())).toList();
    updateOrAnswer(
        new SubtreeSearch(
            from,
            queryDescent,
            new TreeMap<>(),
            others,
            List.of(),
            SearchCost.visit(0, 0),
            startTimer(queryDescent, others.isEmpty())));
    CompareRequest compareRequest =
        new CompareRequest(id, queryDescent.cluster(), queryDescent.spec().signature());
    others.forEach(peer -> step.send(peer, compareRequest));
  }

  /** Answers once all replies have arrived, else keeps waiting. */
  private void updateOrAnswer(SubtreeSearch search) {
    if (search.done()) {
      answerAndForget(search, search);
    } else {
      put(search);
    }
  }

  private void put(SubtreeSearch search) {
    QueryTable queryTable = step.queries();
    step.put(
        queryTable.withSubtreeSearches(
            Copies.with(queryTable.subtreeSearches(), search.key(), search)));
  }

  /**
   * Ends a search with what it has found.
   *
   * @param asked the search with the peers that it has waited for, whose answers may still come
   */
  private void answerAndForget(SubtreeSearch result, SubtreeSearch asked) {
    QueryTable queryTable = step.queries();
    step.put(
        queryTable.withSubtreeSearches(Copies.without(queryTable.subtreeSearches(), result.key())));
    if (result.query().cluster().level() == 1) {
      step.put(step.queries().withCompared(SubtreeSearch.Comparisons.of(asked)));
    }
    answer(result.replyTo(), result.query(), result.candidates(), result.cost());
  }

  private void answer(
      PeerId to, QueryDescent queryDescent, List<Candidate> candidates, SearchCost searchCost) {
    step.send(
        to,
        new SubtreeResult(
            queryDescent.spec().id(),
            queryDescent.cluster(),
            queryDescent.attempt(),
            candidates,
            searchCost));
  }

  void comparisonReceived(PeerId from, CompareReply compareReply) {
    SubtreeSearch search =
        step.queries()
            .subtreeSearches()
            .get(new SubtreeSearch.Key(compareReply.id(), compareReply.cluster()));
    if (search != null && search.pendingPeers().contains(from)) {
      updateOrAnswer(search.withComparison(from, compareReply.similarity()));
      return;
    }
    step.queries()
        .comparisons(new SubtreeSearch.Key(compareReply.id(), compareReply.cluster()))
        .filter(each -> each.missing().contains(from))
        .ifPresentOrElse(
            compared -> {
              step.count("overlay-late-answer");
              step.put(step.queries().withCompared(compared.with(from, compareReply.similarity())));
            },
            () -> step.refuse(compareReply));
  }

  /** A peer of the cluster could not be reached. */
  void peerUnreachable(PeerId peer, CompareRequest compareRequest) {
    SubtreeSearch search =
        step.queries()
            .subtreeSearches()
            .get(new SubtreeSearch.Key(compareRequest.id(), compareRequest.cluster()));
    if (search != null && search.pendingPeers().contains(peer)) {
      updateOrAnswer(search.withoutPeer(peer));
    }
  }

  void answerReceived(PeerId from, SubtreeResult subtreeResult) {
    findWaiting(subtreeResult.id(), subtreeResult.cluster())
        .filter(search -> search.query().attempt() == subtreeResult.attempt())
        .filter(search -> search.asked(from, subtreeResult.cluster()))
        .ifPresentOrElse(
            waiting -> updateOrAnswer(waiting.withAnswer(subtreeResult)),
            () -> step.refuse(subtreeResult));
  }

  /** The subtree search that waits for a cluster: the one at the parent cluster. */
  private Optional<SubtreeSearch> findWaiting(QueryId id, ClusterId child) {
    return step.queries().subtreeSearches().values().stream()
        .filter(each -> each.query().spec().id().equals(id))
        .filter(each -> each.pendingClusters().containsKey(child))
        .findFirst();
  }

  void deliveryFailed(PeerId to, QueryDescent queryDescent) {
    QueryId id = queryDescent.spec().id();
    Optional<SubtreeSearch> waiting = findWaiting(id, queryDescent.cluster());
    if (waiting.isEmpty()) {
      return;
    }
    SubtreeSearch search = waiting.get();
    ScoredCluster scoredCluster = search.pendingClusters().get(queryDescent.cluster());
    if (scoredCluster != null) {
      ClusterScores.nextReplica(step.self(), scoredCluster.replicas(), to, id)
          .ifPresentOrElse(
              next -> step.send(next, queryDescent),
              () ->
                  updateOrAnswer(
                      search.with(
                          Copies.without(search.pendingClusters(), queryDescent.cluster()))));
    }
  }

  void timedOut(long timerNumber) {
    for (SubtreeSearch search : step.queries().subtreeSearches().values()) {
      if (search.timerNumber() == timerNumber) {
        step.count("overlay-answers-missing");
        answerAndForget(/* result= */ search.withoutPending(), /* asked= */ search);
        return;
      }
    }
  }
}
