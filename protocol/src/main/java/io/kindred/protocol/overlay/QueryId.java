package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import java.util.Comparator;

/** Names a query: who asks, and for the how-manieth time. */
public record QueryId(PeerId peer, long number) implements Comparable<QueryId> {
  private static final Comparator<QueryId> ORDER =
      Comparator.comparing(QueryId::peer).thenComparingLong(QueryId::number);

  /**
   * Numbers of what is asked are below this, those too that are made of a clock's microseconds; the
   * rest tells how often it was asked again.
   */
  private static final long RETRY_STRIDE = 1L << 56;

  /** The same once more: nobody takes it for one that it has answered. */
  QueryId retry() {
    return new QueryId(peer, number + RETRY_STRIDE);
  }

  int retryCount() {
    return (int) (number / RETRY_STRIDE);
  }

  /** The number that it was asked with first. */
  public long originalNumber() {
    return number % RETRY_STRIDE;
  }

  /** Where to start among so many replicas, so that queries spread over them. */
  int replicaIndex(int replicas) {
    long mixed = (peer.number() * 0x9e3779b97f4a7c15L) ^ (number * 0xbf58476d1ce4e5b9L);
    return (int) Long.remainderUnsigned(mixed ^ (mixed >>> 31), replicas);
  }

  @Override
  public int compareTo(QueryId other) {
    return ORDER.compare(this, other);
  }
}
