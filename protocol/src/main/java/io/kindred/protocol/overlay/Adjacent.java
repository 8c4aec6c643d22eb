package io.kindred.protocol.overlay;

import io.kindred.protocol.clusters.ZoneId;
import io.kindred.protocol.election.Score;

/** A zone and the score that its initiator drew, without a sign: lower ones come first. */
public record Adjacent(ZoneId zone, long scoreBits) implements Comparable<Adjacent> {
  Score score() {
    return new Score(scoreBits, zone.initiator());
  }

  @Override
  public int compareTo(Adjacent other) {
    return score().compareTo(other.score());
  }
}
