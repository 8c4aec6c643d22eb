package io.kindred.protocol.overlay;

import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.vrf.ElectionScore;

/** A zone and its initiator's election score as an unsigned number: lower scores come first. */
public record ZoneRef(ZoneId zone, long scoreBits) implements Comparable<ZoneRef> {
  public ElectionScore score() {
    return new ElectionScore(scoreBits, zone.initiator());
  }

  @Override
  public int compareTo(ZoneRef other) {
    return score().compareTo(other.score());
  }
}
