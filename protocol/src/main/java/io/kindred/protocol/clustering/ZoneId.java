package io.kindred.protocol.clustering;

import io.kindred.core.peer.PeerId;
import java.util.Comparator;

/**
 * Identifies a zone by its epoch, its level in the hierarchy (one is the lowest) and its initiator.
 */
public record ZoneId(long epoch, int level, PeerId initiator) implements Comparable<ZoneId> {
  private static final Comparator<ZoneId> ORDER =
      Comparator.comparingLong(ZoneId::epoch)
          .thenComparingInt(ZoneId::level)
          .thenComparing(ZoneId::initiator);

  /** Far more than an overlay needs: a level has a fraction of the zones below it. */
  public static final int MAX_LEVELS = 64;

  public ZoneId {
    requireLevel(level);
  }

  public static void requireLevel(int level) {
    if (level < 1 || level > MAX_LEVELS) {
      throw new IllegalArgumentException("there is no level " + level);
    }
  }

  @Override
  public int compareTo(ZoneId other) {
    return ORDER.compare(this, other);
  }
}
