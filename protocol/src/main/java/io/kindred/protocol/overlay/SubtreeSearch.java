package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.protocol.clustering.ClusterId;
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
record SubtreeSearch(
    PeerId replyTo,
    SearchMessage.QueryDescent query,
    SortedMap<ClusterId, ScoredCluster> pendingClusters,
    List<PeerId> pendingPeers,
    List<Candidate> candidates,
    SearchCost cost,
    long timerNumber) {
  record Key(QueryId id, ClusterId cluster) implements Comparable<Key> {
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
  record ProcessedQuery(Key key, PeerId from, int attempt) {
    boolean matches(Key other, PeerId sender) {
      return key.equals(other) && from.equals(sender);
    }
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
    int passed = similarity >= query.threshold() ? 1 : 0;
    List<Candidate> found = List.of(new Candidate(peer, similarity));
    return SubtreeSearchBuilder.from(this)
        .pendingPeers(Copies.without(pendingPeers, peer))
        .candidates(Candidate.merge(candidates, found, query.spec().wanted()))
        .cost(cost.plus(new SearchCost(1, passed, 0, 1)))
        .build();
  }

  SubtreeSearch withoutPeer(PeerId peer) {
    return SubtreeSearchBuilder.from(this).pendingPeers(Copies.without(pendingPeers, peer)).build();
  }

  /** Gives up all outstanding replies. */
  SubtreeSearch withoutPending() {
    return SubtreeSearchBuilder.from(this)
        .pendingClusters(new TreeMap<>())
        .pendingPeers(List.of())
        .build();
  }
}
