package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.OverlayMessage.FormationMessage;
import io.kindred.protocol.vrf.ElectionScore;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A peer's part in forming zones on one level. On the lowest level every peer has one and its links
 * are its neighbours; above, those who lead a zone below have one, linked where their zones border.
 *
 * @param started whether it takes part yet; until then what others say is kept in {@code early}
 */
record LevelState(
    int level,
    boolean started,
    List<PeerId> links,
    ElectionState election,
    ZoneAssignment assignment,
    NeighbourZones neighbourZones,
    List<EarlyMessage> earlyMessages) {
  /** A message that came before its time. */
  record EarlyMessage(PeerId from, FormationMessage message) {}

  /** A score that was heard, and how many hops further it may go. */
  record KnownScore(ElectionScore score, int hopsLeft) {
    /** Whoever hears of {@code other} next would hear of this one as well, and it is lower. */
    boolean dominates(KnownScore other) {
      return score.compareTo(other.score) <= 0 && hopsLeft >= other.hopsLeft;
    }
  }

  /** What was heard of an election; only scores that no other outdoes. */
  record ElectionState(List<KnownScore> scores, List<PeerId> heardFrom, int extraWaves) {
    static final ElectionState EMPTY = new ElectionState(List.of(), List.of(), 0);
  }

  enum Phase {
    ELECTING,
    WAITING,
    JOINING,
    ASSIGNED
  }

  /** In which zone; {@code candidates} are those still to be asked for room. */
  record ZoneAssignment(
      Phase phase, Optional<ZoneRef> zone, int distance, List<ZoneRef> candidates) {
    static final ZoneAssignment UNASSIGNED =
        new ZoneAssignment(Phase.ELECTING, Optional.empty(), 0, List.of());

    static ZoneAssignment inZone(ZoneRef zone, int distance) {
      return new ZoneAssignment(Phase.ASSIGNED, Optional.of(zone), distance, List.of());
    }
  }

  /** The zones of others who are near, and which of them the own initiator was told. */
  record NeighbourZones(SortedMap<PeerId, ZoneRef> byPeer, Optional<List<ZoneId>> reported) {
    static final NeighbourZones EMPTY = new NeighbourZones(new TreeMap<>(), Optional.empty());
  }

  static LevelState initial(int level) {
    return new LevelState(
        level,
        false,
        List.of(),
        ElectionState.EMPTY,
        ZoneAssignment.UNASSIGNED,
        NeighbourZones.EMPTY,
        List.of());
  }

  boolean assigned() {
    return assignment.phase() == Phase.ASSIGNED;
  }

  boolean isIn(ZoneId zone) {
    return assignment.zone().filter(own -> own.zone().equals(zone)).isPresent();
  }

  LevelState start(List<PeerId> peers) {
    return new LevelState(level, true, peers, election, assignment, neighbourZones, List.of());
  }

  LevelState with(List<PeerId> peers) {
    return new LevelState(
        level, started, peers, election, assignment, neighbourZones, earlyMessages);
  }

  LevelState with(ElectionState next) {
    return new LevelState(level, started, links, next, assignment, neighbourZones, earlyMessages);
  }

  LevelState with(ZoneAssignment next) {
    return new LevelState(level, started, links, election, next, neighbourZones, earlyMessages);
  }

  LevelState with(NeighbourZones next) {
    return new LevelState(level, started, links, election, assignment, next, earlyMessages);
  }

  LevelState defer(EarlyMessage earlyMessage) {
    return new LevelState(
        level,
        started,
        links,
        election,
        assignment,
        neighbourZones,
        Copies.with(earlyMessages, earlyMessage));
  }
}
