package io.kindred.protocol.overlay.formation;

import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Bytes;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.Copies;
import io.kindred.protocol.overlay.OverlayMessage.NeighbourReport;
import io.kindred.protocol.overlay.OverlayMessage.Probe;
import io.kindred.protocol.overlay.OverlayMessage.Register;
import io.kindred.protocol.overlay.OverlayMessage.ZoneAnnouncement;
import io.kindred.protocol.overlay.OverlayMessage.ZoneChanged;
import io.kindred.protocol.overlay.OverlayMessage.ZoneJoinReply;
import io.kindred.protocol.overlay.OverlayMessage.ZoneJoinRequest;
import io.kindred.protocol.overlay.ZoneRef;
import io.kindred.protocol.overlay.formation.LevelState.NeighbourZones;
import io.kindred.protocol.overlay.formation.LevelState.Phase;
import io.kindred.protocol.overlay.formation.LevelState.ZoneAssignment;
import io.kindred.protocol.vrf.ElectionScore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The member's side of zone formation (SemanticDFL, algorithm 3). A peer joins the zone of the
 * first probe that reaches it, else asks nearby zones to admit it, else starts a zone. Every peer
 * announces its zone to its links. It reports all adjacent zones to its initiator in one message.
 */
final class FormationMember {
  private final FormationStep step;

  FormationMember(FormationStep step) {
    this.step = step;
  }

  void startZone(int level) {
    ElectionScore.ProvenScore provenScore = step.ownScore();
    ZoneRef zone = new ZoneRef(step.ownZone(level), provenScore.score().bits());
    step.put(step.levelState(level).with(ZoneAssignment.inZone(zone, 0)));
    step.handle(new FormationEvent.ZoneStarted(zone));
    announceZone(level, provenScore.proof(), Optional.empty(), step.settings().radius() - 1);
    reportNeighbours(level);
  }

  /** Probes links while hops are left, and announces the zone to all other neighbours. */
  private void announceZone(int level, Bytes proof, Optional<PeerId> from, int hopsLeft) {
    LevelState levelState = step.levelState(level);
    ZoneAssignment zoneAssignment = levelState.assignment();
    ZoneRef zone = zoneAssignment.zone().orElseThrow();
    Probe probe = new Probe(zone.zone(), proof, zoneAssignment.distance() + 1, hopsLeft);
    SortedSet<PeerId> near = new TreeSet<>(levelState.neighbourZones().byPeer().keySet());
    near.addAll(neighbours(levelState));
    for (PeerId peer : near) {
      boolean probed =
          hopsLeft >= 0 && levelState.links().contains(peer) && !Optional.of(peer).equals(from);
      step.send(peer, probed ? probe : new ZoneAnnouncement(zone));
    }
  }

  /**
   * Links and, above the lowest level, the initiators of all zones adjacent to this peer's zone
   * below. The number of links is limited, so some of these initiators are not links. Zones below
   * settle at different times, so such an initiator may not have announced its zone when all links
   * have. A zone that did not wait for it could become the root, and the late zone would become a
   * second root. So the initiators of two adjacent zones announce their zones to each other, even
   * if neither has a link to the other.
   */
  private SortedSet<PeerId> neighbours(LevelState level) {
    SortedSet<PeerId> all = new TreeSet<>(level.links());
    ZoneFormation below = step.formingZone(level.level() - 1);
    if (below != null) {
      below.adjacentZones().keySet().forEach(zone -> all.add(zone.initiator()));
    }
    return all;
  }

  void announceTo(int level, PeerId peer) {
    LevelState levelState = step.levelState(level);
    if (levelState.assigned()) {
      step.send(peer, new ZoneAnnouncement(levelState.assignment().zone().orElseThrow()));
    }
  }

  void probeReceived(PeerId from, Probe probe) {
    ZoneId zone = probe.zone();
    if (zone.epoch() != step.epoch()) {
      step.count("overlay-other-epoch");
      return;
    }
    Optional<ElectionScore> electionScore = step.verifyScore(zone.initiator(), probe.proof());
    if (electionScore.isEmpty()) {
      return;
    }
    ZoneRef found = new ZoneRef(zone, electionScore.get().bits());
    Phase phase = step.levelState(zone.level()).assignment().phase();
    if (phase != Phase.ELECTING && phase != Phase.WAITING) {
      noteZone(from, found);
      return;
    }
    recordZone(from, found);
    LevelState level = step.levelState(zone.level());
    step.put(level.with(ZoneAssignment.inZone(found, probe.distance())));
    register(zone, probe.distance());
    announceZone(zone.level(), probe.proof(), Optional.of(from), probe.hopsLeft() - 1);
    reportNeighbours(zone.level());
  }

  private void register(ZoneId zone, int distance) {
    step.send(
        zone.initiator(),
        new Register(zone, step.context().capacity(), step.ownScore().proof(), distance));
  }

  void zoneAnnounced(PeerId from, ZoneAnnouncement zoneAnnouncement) {
    noteZone(from, zoneAnnouncement.zone());
  }

  /**
   * A sender that is not a neighbour has not received an announcement of this peer's zone and waits
   * for one.
   */
  private void noteZone(PeerId from, ZoneRef zone) {
    int level = zone.zone().level();
    boolean news = recordZone(from, zone);
    LevelState levelState = step.levelState(level);
    if (news && levelState.assigned() && !neighbours(levelState).contains(from)) {
      announceTo(level, from);
    }
    reportNeighbours(level);
  }

  private boolean recordZone(PeerId from, ZoneRef zone) {
    LevelState level = step.levelState(zone.zone().level());
    NeighbourZones neighbourZones = level.neighbourZones();
    boolean news = !neighbourZones.byPeer().containsKey(from);
    step.put(
        level.with(
            new NeighbourZones(
                Copies.with(neighbourZones.byPeer(), from, zone), neighbourZones.reported())));
    return news;
  }

  /** Reports adjacent zones once all neighbours have a zone; later only new ones. */
  void reportNeighbours(int level) {
    LevelState levelState = step.levelState(level);
    NeighbourZones neighbourZones = levelState.neighbourZones();
    if (!levelState.assigned()) {
      return;
    }
    // A peer that sent a score has a link to this peer, even if this peer has none to it.
    boolean settled =
        neighbourZones.byPeer().keySet().containsAll(neighbours(levelState))
            && neighbourZones.byPeer().keySet().containsAll(levelState.election().heardFrom());
    if (neighbourZones.reported().isEmpty() && !settled) {
      return;
    }
    ZoneId own = levelState.assignment().zone().orElseThrow().zone();
    List<ZoneId> reported = new ArrayList<>(neighbourZones.reported().orElse(List.of()));
    SortedMap<ZoneId, ZoneRef> fresh = new TreeMap<>();
    for (ZoneRef each : neighbourZones.byPeer().values()) {
      if (!each.zone().equals(own) && !reported.contains(each.zone())) {
        fresh.put(each.zone(), each);
      }
    }
    if (neighbourZones.reported().isPresent() && fresh.isEmpty()) {
      return;
    }
    reported.addAll(fresh.keySet());
    step.put(
        levelState.with(
            new NeighbourZones(neighbourZones.byPeer(), Optional.of(List.copyOf(reported)))));
    step.send(own.initiator(), new NeighbourReport(own, List.copyOf(fresh.values())));
  }

  void probeTimedOut(int level) {
    LevelState levelState = step.levelState(level);
    if (levelState.assignment().phase() == Phase.WAITING) {
      requestJoin(level, nearbyZones(levelState));
    }
  }

  private static List<ZoneRef> nearbyZones(LevelState level) {
    return List.copyOf(new TreeSet<>(level.neighbourZones().byPeer().values()));
  }

  /** Asks the given zones for admission, one after another. */
  void requestJoin(int level, List<ZoneRef> candidates) {
    LevelState levelState = step.levelState(level);
    step.put(
        levelState.with(
            new ZoneAssignment(
                Phase.JOINING, levelState.assignment().zone(), 0, List.copyOf(candidates))));
    if (!candidates.isEmpty()) {
      ZoneId first = candidates.getFirst().zone();
      step.send(
          first.initiator(),
          new ZoneJoinRequest(first, step.context().capacity(), step.ownScore().proof()));
    } else if (step.formingZone(level) == null) {
      startZone(level);
    } else {
      step.handle(new FormationEvent.MergeRefused(level));
    }
  }

  void joinAnswered(ZoneJoinReply zoneJoinReply) {
    int level = zoneJoinReply.zone().level();
    LevelState levelState = step.levelState(level);
    ZoneAssignment zoneAssignment = levelState.assignment();
    if (zoneAssignment.phase() == Phase.JOINING) {
      List<ZoneRef> candidates = zoneAssignment.candidates();
      if (candidates.isEmpty() || !candidates.getFirst().zone().equals(zoneJoinReply.zone())) {
        return;
      }
      if (zoneJoinReply.accepted()) {
        joinZone(level, candidates.getFirst());
      } else {
        requestJoin(level, candidates.subList(1, candidates.size()));
      }
    } else if (!zoneJoinReply.accepted() && levelState.isIn(zoneJoinReply.zone())) {
      // This peer had registered too late.
      step.put(
          levelState.with(
              new NeighbourZones(levelState.neighbourZones().byPeer(), Optional.empty())));
      requestJoin(
          level,
          nearbyZones(levelState).stream()
              .filter(each -> !each.zone().equals(zoneJoinReply.zone()))
              .toList());
    }
  }

  private void joinZone(int level, ZoneRef zone) {
    LevelState levelState = step.levelState(level);
    step.put(
        levelState
            .with(ZoneAssignment.inZone(zone, step.settings().radius() + 1))
            .with(new NeighbourZones(levelState.neighbourZones().byPeer(), Optional.empty())));
    step.handle(new FormationEvent.MergedInto(level, zone));
    announceZone(level, step.ownScore().proof(), Optional.empty(), -1);
    reportNeighbours(level);
  }

  void zoneChanged(ZoneChanged zoneChanged) {
    LevelState level = step.levelState(zoneChanged.level());
    if (!level.isIn(zoneChanged.from())) {
      step.count("overlay-change-of-other-zone");
      return;
    }
    reassign(level, zoneChanged.to(), level.assignment().distance());
  }

  /** After a split the new initiator has no reports, so all adjacent zones are reported again. */
  void reassign(LevelState level, ZoneRef zone, int distance) {
    step.put(
        level
            .with(ZoneAssignment.inZone(zone, distance))
            .with(new NeighbourZones(level.neighbourZones().byPeer(), Optional.empty())));
    reportNeighbours(level.level());
  }
}
