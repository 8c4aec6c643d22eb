package io.kindred.protocol.overlay.formation;

import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.Copies;
import io.kindred.protocol.overlay.OverlayMessage.FormationMessage;
import io.kindred.protocol.overlay.ZoneRef;
import io.kindred.protocol.vrf.ElectionScore;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A peer's state of zone formation on one level. On the lowest level every peer takes part and its
 * links are its neighbours. Above, the initiators of the zones below take part, linked where their
 * zones are adjacent.
 *
 * @param started whether this peer takes part yet; until then messages of other peers are kept in
 *     {@code earlyMessages}
 */
@Buildable
public record LevelState(
    int level,
    boolean started,
    List<PeerId> links,
    ElectionState election,
    ZoneAssignment assignment,
    NeighbourZones neighbourZones,
    List<EarlyMessage> earlyMessages) {
  /** A message that arrived before its level started. */
  public record EarlyMessage(PeerId from, FormationMessage message) {}

  /** A known score, and how many hops further it may travel. */
  public record KnownScore(ElectionScore score, int hopsLeft) {
    /** Whether this score reaches every peer that {@code other} would reach, and is not higher. */
    public boolean dominates(KnownScore other) {
      return score.compareTo(other.score) <= 0 && hopsLeft >= other.hopsLeft;
    }
  }

  /** The scores known in an election, without those that another score dominates. */
  public record ElectionState(List<KnownScore> scores, List<PeerId> heardFrom, int extraWaves) {
    public static final ElectionState EMPTY = new ElectionState(List.of(), List.of(), 0);
  }

  public enum Phase {
    ELECTING,
    WAITING,
    JOINING,
    ASSIGNED
  }

  /** The peer's zone; {@code candidates} are the zones still to be asked for admission. */
  public record ZoneAssignment(
      Phase phase, Optional<ZoneRef> zone, int distance, List<ZoneRef> candidates) {
    public static final ZoneAssignment UNASSIGNED =
        new ZoneAssignment(Phase.ELECTING, Optional.empty(), 0, List.of());

    public static ZoneAssignment inZone(ZoneRef zone, int distance) {
      return new ZoneAssignment(Phase.ASSIGNED, Optional.of(zone), distance, List.of());
    }
  }

  /** The zones of nearby peers, and those already reported to the initiator. */
  public record NeighbourZones(SortedMap<PeerId, ZoneRef> byPeer, Optional<List<ZoneId>> reported) {
    public static final NeighbourZones EMPTY =
        new NeighbourZones(new TreeMap<>(), Optional.empty());
  }

  public static LevelState initial(int level) {
    return new LevelState(
        level,
        false,
        List.of(),
        ElectionState.EMPTY,
        ZoneAssignment.UNASSIGNED,
        NeighbourZones.EMPTY,
        List.of());
  }

  public boolean assigned() {
    return assignment.phase() == Phase.ASSIGNED;
  }

  public boolean isIn(ZoneId zone) {
    return assignment.zone().filter(own -> own.zone().equals(zone)).isPresent();
  }

  public LevelState start(List<PeerId> peers) {
    return LevelStateBuilder.from(this).started(true).links(peers).earlyMessages(List.of()).build();
  }

  public LevelState with(List<PeerId> peers) {
    return LevelStateBuilder.from(this).links(peers).build();
  }

  public LevelState with(ElectionState next) {
    return LevelStateBuilder.from(this).election(next).build();
  }

  public LevelState with(ZoneAssignment next) {
    return LevelStateBuilder.from(this).assignment(next).build();
  }

  public LevelState with(NeighbourZones next) {
    return LevelStateBuilder.from(this).neighbourZones(next).build();
  }

  public LevelState defer(EarlyMessage earlyMessage) {
    return LevelStateBuilder.from(this)
        .earlyMessages(Copies.with(earlyMessages, earlyMessage))
        .build();
  }
}
