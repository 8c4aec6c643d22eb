package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.vrf.ElectionScore;
import java.util.Comparator;

/** A peer as its zone's initiator knows it: what the peer registered, and its distance in hops. */
public record ZoneMember(PeerId peer, double capacity, ElectionScore score, int distance) {
  /** The order in which a zone that is too large is split: breadth first, then by peer. */
  public static final Comparator<ZoneMember> BREADTH_FIRST =
      Comparator.comparingInt(ZoneMember::distance).thenComparing(ZoneMember::peer);
}
