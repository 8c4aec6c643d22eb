package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.protocol.clusters.ZoneId;
import io.kindred.protocol.election.Score;
import io.kindred.protocol.overlay.OverlayMessage.OfLevel;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A peer's part in forming zones on one level. On the lowest level every peer has one and its links
 * are its neighbours; above, those who lead a zone below have one, linked where their zones border.
 *
 * @param begun whether it takes part yet; until then what others say is kept in {@code early}
 */
record Vertex(
    int level,
    boolean begun,
    List<PeerId> links,
    Ballot ballot,
    Residence residence,
    Frontier frontier,
    List<Envelope> early) {
  /** A message that came before its time. */
  record Envelope(PeerId from, OfLevel message) {}

  /** A score that was heard, and how many hops further it may go. */
  record Offer(Score score, int hopsLeft) {
    /** Whoever hears of {@code other} next would hear of this one as well, and it is lower. */
    boolean outdoes(Offer other) {
      return score.compareTo(other.score) <= 0 && hopsLeft >= other.hopsLeft;
    }
  }

  /** What was heard of an election; only scores that no other outdoes. */
  record Ballot(List<Offer> offers, List<PeerId> heard, int waits) {
    static final Ballot EMPTY = new Ballot(List.of(), List.of(), 0);
  }

  enum Phase {
    ELECTING,
    WAITING,
    JOINING,
    ASSIGNED
  }

  /** In which zone; {@code candidates} are those still to be asked for room. */
  record Residence(Phase phase, Optional<Adjacent> zone, int distance, List<Adjacent> candidates) {
    static final Residence NOWHERE = new Residence(Phase.ELECTING, Optional.empty(), 0, List.of());

    static Residence in(Adjacent zone, int distance) {
      return new Residence(Phase.ASSIGNED, Optional.of(zone), distance, List.of());
    }
  }

  /** The zones of others who are near, and which of them the own initiator was told. */
  record Frontier(SortedMap<PeerId, Adjacent> zones, Optional<List<ZoneId>> reported) {
    static final Frontier EMPTY = new Frontier(new TreeMap<>(), Optional.empty());
  }

  static Vertex fresh(int level) {
    return new Vertex(
        level, false, List.of(), Ballot.EMPTY, Residence.NOWHERE, Frontier.EMPTY, List.of());
  }

  boolean assigned() {
    return residence.phase() == Phase.ASSIGNED;
  }

  boolean isIn(ZoneId zone) {
    return residence.zone().filter(own -> own.zone().equals(zone)).isPresent();
  }

  Vertex begin(List<PeerId> peers) {
    return new Vertex(level, true, peers, ballot, residence, frontier, List.of());
  }

  Vertex with(List<PeerId> peers) {
    return new Vertex(level, begun, peers, ballot, residence, frontier, early);
  }

  Vertex with(Ballot next) {
    return new Vertex(level, begun, links, next, residence, frontier, early);
  }

  Vertex with(Residence next) {
    return new Vertex(level, begun, links, ballot, next, frontier, early);
  }

  Vertex with(Frontier next) {
    return new Vertex(level, begun, links, ballot, residence, next, early);
  }

  Vertex keep(Envelope envelope) {
    return new Vertex(level, begun, links, ballot, residence, frontier, Rows.with(early, envelope));
  }
}
