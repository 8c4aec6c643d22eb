package io.kindred.protocol.clustering;

import java.util.Comparator;

/** Identifies a cluster by its zone and its index in the zone. */
public record ClusterId(ZoneId zone, int index) implements Comparable<ClusterId> {
  private static final Comparator<ClusterId> ORDER =
      Comparator.comparing(ClusterId::zone).thenComparingInt(ClusterId::index);

  public int level() {
    return zone.level();
  }

  @Override
  public int compareTo(ClusterId other) {
    return ORDER.compare(this, other);
  }
}
