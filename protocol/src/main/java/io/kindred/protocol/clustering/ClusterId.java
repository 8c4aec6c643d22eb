package io.kindred.protocol.clustering;

import java.util.Comparator;

/** Names a cluster: its zone and its number in there. */
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
