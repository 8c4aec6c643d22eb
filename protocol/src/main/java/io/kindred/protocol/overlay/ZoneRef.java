package io.kindred.protocol.overlay;

import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.vrf.ElectionScore;

/** A zone and the score that its initiator drew, without a sign: lower ones come first. */
public record ZoneRef(ZoneId zone, long scoreBits) implements Comparable<ZoneRef> {
  ElectionScore score() {
    return new ElectionScore(scoreBits, zone.initiator());
  }

  @Override
  public int compareTo(ZoneRef other) {
    return score().compareTo(other.score());
  }
}
