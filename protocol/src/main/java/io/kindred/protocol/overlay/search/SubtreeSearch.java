package io.kindred.protocol.overlay.search;

import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.protocol.clustering.ClusterId;
import io.kindred.protocol.overlay.Candidate;
import io.kindred.protocol.overlay.Copies;
import io.kindred.protocol.overlay.QueryId;
import io.kindred.protocol.overlay.SearchCost;
import io.kindred.protocol.overlay.SearchMessage;
import io.kindred.protocol.overlay.SearchMessage.ScoredCluster;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A query on its way down at a super-peer: the replies it waits for, and the results so far.
 *
 * @param pendingClusters child clusters that have not answered, with their replicas
 * @param pendingPeers peers of a lowest cluster that have not answered
 */
@Buildable
public record SubtreeSearch(
    PeerId replyTo,
    SearchMessage.QueryDescent query,
    SortedMap<ClusterId, ScoredCluster> pendingClusters,
    List<PeerId> pendingPeers,
    List<Candidate> candidates,
    SearchCost cost,
    long timerNumber) {
  public record Key(QueryId id, ClusterId cluster) implements Comparable<Key> {
    private static final Comparator<Key> ORDER =
        Comparator.comparing(Key::id).thenComparing(Key::cluster);

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }

  /**
   * A query that was accepted: its sender has received the result of the attempt, or will receive
   * it.
   */
  public record ProcessedQuery(Key key, PeerId from, int attempt) {
    boolean matches(Key other, PeerId sender) {
      return key.equals(other) && from.equals(sender);
    }
  }

  /**
   * The comparisons of a lowest cluster with a query. A later attempt gets them again, because the
   * first answer may have been late or lost, together with those that arrived since.
   *
   * @param missing peers that were asked and have not answered
   * @param unreported cost of the comparisons that no answer has contained
   */
  public record Comparisons(
      Key key,
      double threshold,
      int wanted,
      List<PeerId> missing,
      List<Candidate> candidates,
      SearchCost unreported) {
    static Comparisons of(SubtreeSearch search) {
      return new Comparisons(
          search.key(),
          search.query().threshold(),
          search.query().spec().wanted(),
          search.pendingPeers(),
          search.candidates(),
          SearchCost.ZERO);
    }

    /** With a comparison that arrived after the answer. */
    Comparisons with(PeerId peer, float similarity) {
      return new Comparisons(
          key,
          threshold,
          wanted,
          Copies.without(missing, peer),
          Candidate.merge(candidates, List.of(new Candidate(peer, similarity)), wanted),
          unreported.plus(SearchCost.comparison(similarity >= threshold)));
    }

    Comparisons reported() {
      return new Comparisons(key, threshold, wanted, missing, candidates, SearchCost.ZERO);
    }
  }

  Key key() {
    return new Key(query.spec().id(), query.cluster());
  }

  boolean done() {
    return pendingClusters.isEmpty() && pendingPeers.isEmpty();
  }

  SubtreeSearch with(SortedMap<ClusterId, ScoredCluster> nextClusters) {
    return SubtreeSearchBuilder.from(this).pendingClusters(nextClusters).build();
  }

  SubtreeSearch withAnswer(SearchMessage.SubtreeResult subtreeResult) {
    return SubtreeSearchBuilder.from(this)
        .pendingClusters(Copies.without(pendingClusters, subtreeResult.cluster()))
        .candidates(Candidate.merge(candidates, subtreeResult.candidates(), query.spec().wanted()))
        .cost(cost.plus(subtreeResult.cost()))
        .build();
  }

  SubtreeSearch withComparison(PeerId peer, float similarity) {
    List<Candidate> found = List.of(new Candidate(peer, similarity));
    return SubtreeSearchBuilder.from(this)
        .pendingPeers(Copies.without(pendingPeers, peer))
        .candidates(Candidate.merge(candidates, found, query.spec().wanted()))
        .cost(cost.plus(SearchCost.comparison(similarity >= query.threshold())))
        .build();
  }

  SubtreeSearch withoutPeer(PeerId peer) {
    return SubtreeSearchBuilder.from(this).pendingPeers(Copies.without(pendingPeers, peer)).build();
  }

  /** The same search for a later attempt of its sender. */
  SubtreeSearch forAttempt(SearchMessage.QueryDescent later) {
    return SubtreeSearchBuilder.from(this).query(later).build();
  }

  /** Whether a peer was asked about a child cluster: it is one of the cluster's replicas. */
  boolean asked(PeerId peer, ClusterId child) {
    ScoredCluster queried = pendingClusters.get(child);
    return queried != null && queried.replicas().contains(peer);
  }

  /** Gives up all outstanding replies. */
  SubtreeSearch withoutPending() {
    return SubtreeSearchBuilder.from(this)
        .pendingClusters(new TreeMap<>())
        .pendingPeers(List.of())
        .build();
  }
}
