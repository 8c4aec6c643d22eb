package io.kindred.protocol.clusters;

import io.kindred.core.PeerId;
import java.util.Comparator;

/** A zone: who started it, in which epoch, on which level of the hierarchy (one is the lowest). */
public record ZoneId(long epoch, int level, PeerId initiator) implements Comparable<ZoneId> {
  private static final Comparator<ZoneId> ORDER =
      Comparator.comparingLong(ZoneId::epoch)
          .thenComparingInt(ZoneId::level)
          .thenComparing(ZoneId::initiator);

  @Override
  public int compareTo(ZoneId other) {
    return ORDER.compare(this, other);
  }
}
