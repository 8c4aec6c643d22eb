package io.kindred.protocol.overlay.search;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Bytes;
import io.kindred.core.weights.Digest;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.overlay.ClusterReplica;
import io.kindred.protocol.overlay.ClusterScores;
import io.kindred.protocol.overlay.Copies;
import io.kindred.protocol.overlay.OverlayLocalMessage;
import io.kindred.protocol.overlay.QueryId;
import io.kindred.protocol.overlay.QuerySpecBuilder;
import io.kindred.protocol.overlay.SearchCost;
import io.kindred.protocol.overlay.SearchMessage.CompareReply;
import io.kindred.protocol.overlay.SearchMessage.CompareRequest;
import io.kindred.protocol.overlay.SearchMessage.QueryAscent;
import io.kindred.protocol.overlay.SearchMessage.QuerySpec;
import io.kindred.protocol.overlay.SearchMessage.SearchReply;
import io.kindred.protocol.overlay.Threshold;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * The course of a query (SemanticDFL, section 3.4): up by parent pointers to a root super-peer,
 * which runs the root search ({@link RootSearches}), down through super-peers ({@link
 * SubtreeSearches}) to peers that compare themselves, and back. This class starts queries, sends
 * them up, and has what both searches share.
 */
final class QueryProtocol {

  /** Hop times after which an unanswered query fails, where queries are not retried. */
  private static final int ANSWER_TIMEOUT_HOPS = 256;

  /** Hop times after which an unanswered query is retried, where the overlay is maintained. */
  private static final int RETRY_TIMEOUT_HOPS = 64;

  /** Attempts in all, including the first one. */
  private static final int MAX_RETRIES = 3;

  private static final int MAX_DEFERRED = 1024;

  private final SearchStep step;
  private final RootSearches roots;

  QueryProtocol(SearchStep step, RootSearches roots) {
    this.step = step;
    this.roots = roots;
  }

  /**
   * In a maintained overlay, a peer without a home cluster is looking for one: its query is sent as
   * soon as it has one.
   */
  void startSearch(OverlayLocalMessage.Search search) {
    boolean maintained = step.settings().maintenance().enabled();
    if (step.signature().isEmpty() || (step.homeCluster().isEmpty() && !maintained)) {
      step.count("overlay-searched-too-early");
      step.notifyMethod(
          new OverlayLocalMessage.SearchFinished(
              search.number(), List.of(), Threshold.ACCEPT_ALL.value(), 0, SearchCost.ZERO, 0));
      return;
    }
    QueryId id = new QueryId(step.self(), search.number());
    Optional<Double> threshold =
        search.resetThreshold() ? Optional.empty() : step.state().threshold().map(Threshold::value);
    QuerySpec querySpec =
        new QuerySpec(id, answerKey(id), step.signature().get(), search.wanted(), search.rule());
    put(id, new PendingQuery(querySpec, threshold, false, step.tick()));
    send(id);
    step.setAnswerTimer(search.number(), answerTimeoutTicks());
  }

  /** Follows from the peer's secret and the query, so that no other peer can compute it. */
  private long answerKey(QueryId id) {
    Bytes secret = step.context().secret().scalar();
    byte[] text =
        ByteBuffer.allocate(secret.size() + Long.BYTES)
            .put(secret.copy())
            .putLong(id.number())
            .array();
    return ByteBuffer.wrap(Digest.of(text).bytes()).getLong();
  }

  private void put(QueryId id, PendingQuery pendingQuery) {
    step.put(step.queries().withPending(Copies.with(step.queries().pending(), id, pendingQuery)));
  }

  /** Sends a query up, unless it was already sent or the peer has no home cluster. */
  private void send(QueryId id) {
    PendingQuery pendingQuery = step.queries().pending().get(id);
    Optional<ClusterReplica.ClusterPointer> home = step.homeCluster();
    if (pendingQuery == null || pendingQuery.sent() || home.isEmpty()) {
      return;
    }
    put(id, PendingQueryBuilder.from(pendingQuery).sent(true).build());
    step.send(
        ClusterScores.pickReplica(step.self(), home.get().replicas(), pendingQuery.spec().id()),
        new QueryAscent(pendingQuery.spec(), home.get().cluster(), pendingQuery.threshold()));
  }

  /** Sends the queries that waited for a home cluster, if there is one by now. */
  void sendPending() {
    if (step.queries().pending().values().stream().allMatch(PendingQuery::sent)) {
      return;
    }
    List.copyOf(step.queries().pending().keySet()).forEach(this::send);
  }

  private long answerTimeoutTicks() {
    boolean maintained = step.settings().maintenance().enabled();
    return (maintained ? RETRY_TIMEOUT_HOPS : ANSWER_TIMEOUT_HOPS) * step.settings().hopTicks();
  }

  void ascend(PeerId from, QueryAscent queryAscent) {
    ClusterReplica replica = step.replica(queryAscent.cluster());
    QueryId id = queryAscent.spec().id();
    if (replica != null && replica.parent().isPresent()) {
      ClusterReplica.ClusterPointer parent = replica.parent().get();
      step.send(
          ClusterScores.pickReplica(step.self(), parent.replicas(), id),
          new QueryAscent(queryAscent.spec(), parent.cluster(), queryAscent.threshold()));
    } else if (replica != null && !replica.roots().isEmpty()) {
      if (step.isOverloaded() && !step.queries().isKnown(id)) {
        step.refuseQuery(from, queryAscent);
      } else {
        roots.start(queryAscent, replica);
      }
    } else if (step.settings().maintenance().enabled() && (replica == null || step.isReady())) {
      step.refuseQuery(from, queryAscent);
    } else if (step.queries().deferred().size() < MAX_DEFERRED) {
      setDeferred(Copies.with(step.queries().deferred(), queryAscent));
    } else {
      step.count("overlay-query-dropped");
    }
  }

  private void setDeferred(List<QueryAscent> queries) {
    QueryTable queryTable = step.queries();
    step.put(queryTable.withDeferred(queries));
  }

  /** Retries the queries that waited for a parent pointer. */
  void resumeDeferred() {
    List<QueryAscent> queries = step.queries().deferred();
    setDeferred(List.of());
    queries.forEach(each -> ascend(each.spec().id().peer(), each));
  }

  void compare(PeerId from, CompareRequest compareRequest) {
    float similarity =
        step.signature()
            .filter(own -> own.dimension() == compareRequest.signature().dimension())
            .map(own -> (float) compareRequest.signature().cosine(own))
            .orElse(-1f);
    step.send(from, new CompareReply(compareRequest.id(), compareRequest.cluster(), similarity));
  }

  void resultReceived(SearchReply searchReply) {
    QueryId id = new QueryId(searchReply.id().peer(), searchReply.id().originalNumber());
    PendingQuery pendingQuery = step.queries().pending().get(id);
    if (!searchReply.id().peer().equals(step.self())
        || searchReply.answerKey() != answerKey(searchReply.id())) {
      step.refuse(searchReply);
      return;
    }
    if (pendingQuery == null) {
      return;
    }
    removePending(id);
    SearchState state = step.state();
    step.put(
        SearchStateBuilder.from(state)
            .threshold(Optional.of(new Threshold(Math.clamp(searchReply.threshold(), -1.0, 1.0))))
            .passed(
                state.passed()
                    + Math.clamp(searchReply.cost().passed(), 0, searchReply.cost().scored()))
            .scored(state.scored() + searchReply.cost().scored())
            .build());
    step.notifyMethod(
        new OverlayLocalMessage.SearchFinished(
            id.number(),
            searchReply.candidates(),
            searchReply.threshold(),
            searchReply.attempts(),
            searchReply.cost(),
            step.tick() - pendingQuery.startedAt()));
  }

  private void removePending(QueryId id) {
    QueryTable queryTable = step.queries();
    step.put(queryTable.withPending(Copies.without(queryTable.pending(), id)));
  }

  /** Fails the peer's own queries and forgets those of other peers. */
  void abandonAll() {
    List.copyOf(step.queries().pending().keySet()).forEach(this::failQuery);
    step.put(QueryTable.empty(step.queries().nextTimer()));
  }

  /**
   * Retries a query, as another super-peer may have taken over; fails it after the last attempt, so
   * that every search ends.
   */
  void answerTimedOut(long number) {
    QueryId id = new QueryId(step.self(), number);
    PendingQuery pendingQuery = step.queries().pending().get(id);
    if (pendingQuery == null) {
      return;
    }
    QuerySpec querySpec = pendingQuery.spec();
    QueryId next = querySpec.id().retry();
    if (!step.settings().maintenance().enabled() || next.retryCount() >= MAX_RETRIES) {
      failQuery(id);
      return;
    }
    step.count("overlay-query-retried");
    put(
        id,
        PendingQueryBuilder.from(pendingQuery)
            .spec(QuerySpecBuilder.from(querySpec).id(next).answerKey(answerKey(next)).build())
            .sent(false)
            .build());
    send(id);
    step.setAnswerTimer(number, answerTimeoutTicks());
  }

  private void failQuery(QueryId id) {
    PendingQuery pendingQuery = step.queries().pending().get(id);
    if (pendingQuery != null) {
      removePending(id);
      step.count("overlay-unanswered");
      step.notifyMethod(
          new OverlayLocalMessage.SearchFinished(
              id.number(),
              List.of(),
              pendingQuery.threshold().orElse(Threshold.ACCEPT_ALL.value()),
              0,
              SearchCost.ZERO,
              step.tick() - pendingQuery.startedAt()));
    }
  }

  /** Tries the next replica of the cluster above. */
  void deliveryFailed(PeerId to, QueryAscent queryAscent) {
    QueryId id = queryAscent.spec().id();
    replicasAbove(queryAscent.cluster())
        .flatMap(replicas -> ClusterScores.nextReplica(step.self(), replicas, to, id))
        .ifPresentOrElse(next -> step.send(next, queryAscent), () -> searchBelowRoot(queryAscent));
  }

  /** No parent replica can be reached: searches the own subtree, which is better than no result. */
  private void searchBelowRoot(QueryAscent queryAscent) {
    Optional<ClusterReplica> replica =
        step.replicas().stream()
            .filter(
                each ->
                    each.parent()
                        .filter(up -> up.cluster().equals(queryAscent.cluster()))
                        .isPresent())
            .findFirst();
    if (replica.isPresent() && step.settings().maintenance().enabled() && !step.isOverloaded()) {
      step.count("overlay-search-below-root");
      roots.start(queryAscent, replica.get().withRoots(List.of(replica.get().descriptor()), 0));
    } else {
      step.count("overlay-query-dropped");
    }
  }

  /**
   * The replicas of a cluster that is the peer's home cluster or the parent of a cluster it holds.
   */
  private Optional<List<PeerId>> replicasAbove(ClusterId cluster) {
    Optional<ClusterReplica.ClusterPointer> home =
        step.homeCluster().filter(each -> each.cluster().equals(cluster));
    return home.or(
            () ->
                step.replicas().stream()
                    .flatMap(replica -> replica.parent().stream())
                    .filter(each -> each.cluster().equals(cluster))
                    .findFirst())
        .map(ClusterReplica.ClusterPointer::replicas);
  }
}
