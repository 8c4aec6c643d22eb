package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.protocol.clusters.ClusterId;
import io.kindred.protocol.overlay.SearchMessage.Branch;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A query at a super-peer on its way down: whom it waits for, and what it has so far.
 *
 * @param clusters those below that have not answered, with who else could
 * @param peers those of a lowest cluster that have not answered
 */
record Descent(
    PeerId replyTo,
    SearchMessage.Query query,
    SortedMap<ClusterId, Branch> clusters,
    List<PeerId> peers,
    List<Candidate> candidates,
    Tally tally,
    long alarm) {
  record Key(QueryId id, ClusterId at) implements Comparable<Key> {
    private static final Comparator<Key> ORDER =
        Comparator.comparing(Key::id).thenComparing(Key::at);

    @Override
    public int compareTo(Key other) {
      return ORDER.compare(this, other);
    }
  }

  /** A query that was taken on: who sent it has the answer to the attempt, or will have it. */
  record Seen(Key key, PeerId from, int attempt) {
    boolean isOf(Key other, PeerId sender) {
      return key.equals(other) && from.equals(sender);
    }
  }

  boolean done() {
    return clusters.isEmpty() && peers.isEmpty();
  }

  Descent with(SortedMap<ClusterId, Branch> awaited) {
    return new Descent(replyTo, query, awaited, peers, candidates, tally, alarm);
  }

  Descent heard(SearchMessage.Answer answer) {
    return new Descent(
        replyTo,
        query,
        Rows.without(clusters, answer.at()),
        peers,
        Candidate.merge(candidates, answer.candidates(), query.sought().wanted()),
        tally.plus(answer.tally()),
        alarm);
  }

  Descent compared(PeerId peer, float similarity) {
    int passed = similarity >= query.threshold() ? 1 : 0;
    List<Candidate> found = List.of(new Candidate(peer, similarity));
    return new Descent(
        replyTo,
        query,
        clusters,
        Rows.without(peers, peer),
        Candidate.merge(candidates, found, query.sought().wanted()),
        tally.plus(new Tally(1, passed, 0, 1)),
        alarm);
  }

  Descent withoutPeer(PeerId peer) {
    return new Descent(
        replyTo, query, clusters, Rows.without(peers, peer), candidates, tally, alarm);
  }

  /** Waits for nobody any more. */
  Descent givenUp() {
    return new Descent(replyTo, query, new TreeMap<>(), List.of(), candidates, tally, alarm);
  }
}
