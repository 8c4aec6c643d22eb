package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.protocol.election.Score;
import java.util.Comparator;

/** A peer as its zone's initiator knows it: what it registered, and hops to where it was found. */
public record Member(PeerId peer, double capacity, Score score, int distance) {
  /** The order in which a zone that is too large is split: breadth first, then by peer. */
  static final Comparator<Member> BREADTH_FIRST =
      Comparator.comparingInt(Member::distance).thenComparing(Member::peer);
}
