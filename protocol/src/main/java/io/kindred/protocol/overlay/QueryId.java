package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import java.util.Comparator;

/** Identifies a query by the peer that started it and the peer's number for it. */
public record QueryId(PeerId peer, long number) implements Comparable<QueryId> {
  private static final Comparator<QueryId> ORDER =
      Comparator.comparing(QueryId::peer).thenComparingLong(QueryId::number);

  /**
   * Numbers of new queries are below this, also those made of a clock's microseconds; multiples of
   * it count the retries.
   */
  private static final long RETRY_STRIDE = 1L << 56;

  /** The id of a retry: no peer takes it for a query that it has answered. */
  public QueryId retry() {
    return new QueryId(peer, number + RETRY_STRIDE);
  }

  public int retryCount() {
    return (int) (number / RETRY_STRIDE);
  }

  /** The number of the first attempt. */
  public long originalNumber() {
    return number % RETRY_STRIDE;
  }

  /** The replica to ask first, so that queries spread over the replicas. */
  public int replicaIndex(int replicas) {
    long mixed = (peer.number() * 0x9e3779b97f4a7c15L) ^ (number * 0xbf58476d1ce4e5b9L);
    return (int) Long.remainderUnsigned(mixed ^ (mixed >>> 31), replicas);
  }

  @Override
  public int compareTo(QueryId other) {
    return ORDER.compare(this, other);
  }
}
