package io.kindred.protocol.overlay.formation;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.Copies;
import io.kindred.protocol.overlay.OverlayEvent;
import io.kindred.protocol.overlay.OverlayMessage;
import io.kindred.protocol.overlay.OverlayMessage.NeighbourReport;
import io.kindred.protocol.overlay.OverlayMessage.Register;
import io.kindred.protocol.overlay.OverlayMessage.SplitAccepted;
import io.kindred.protocol.overlay.OverlayMessage.ZoneChanged;
import io.kindred.protocol.overlay.OverlayMessage.ZoneJoinReply;
import io.kindred.protocol.overlay.OverlayMessage.ZoneJoinRequest;
import io.kindred.protocol.overlay.OverlayMessage.ZoneMerged;
import io.kindred.protocol.overlay.OverlayMessage.ZoneSplit;
import io.kindred.protocol.overlay.OverlayTimer.FormationTimer;
import io.kindred.protocol.overlay.ZoneMember;
import io.kindred.protocol.overlay.ZoneRef;
import io.kindred.protocol.overlay.formation.LevelState.EarlyMessage;
import io.kindred.protocol.overlay.formation.LevelState.NeighbourZones;
import io.kindred.protocol.overlay.formation.LevelState.ZoneAssignment;
import io.kindred.protocol.overlay.formation.ZoneFormation.Stage;
import io.kindred.protocol.vrf.ElectionScore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The initiator's side of zone formation (SemanticDFL, algorithm 3). The initiator accepts members,
 * waits until every neighbour of its members is in a zone, and splits a zone that is too large. It
 * joins an adjacent zone itself if no member registered.
 */
final class FormationLeader {

  /** Waves after which a zone no longer waits for members that do not report. */
  private static final int REPORT_TIMEOUT_WAVES = 32;

  private static final int MERGE_BACKOFF_SLOTS = 8;

  private final FormationStep step;

  FormationLeader(FormationStep step) {
    this.step = step;
  }

  void start(ZoneRef zone) {
    boolean alone = step.levelState(zone.zone().level()).links().isEmpty();
    ZoneMember self =
        new ZoneMember(step.self(), step.context().capacity(), step.ownScore().score(), 0);
    step.put(ZoneFormation.of(zone, alone ? Stage.AWAITING_REPORTS : Stage.OPEN).add(self));
    if (!alone) {
      long wave = step.settings().waveTicks();
      step.setLevelTimer(FormationTimer.REGISTRATION_TIMEOUT, zone.zone().level(), 2 * wave);
      step.setLevelTimer(
          FormationTimer.REPORT_TIMEOUT, zone.zone().level(), REPORT_TIMEOUT_WAVES * wave);
    }
  }

  void registered(PeerId from, Register register) {
    Optional<ElectionScore> electionScore = step.verifyScore(from, register.proof());
    if (electionScore.isEmpty()) {
      return;
    }
    ZoneFormation formation = step.formingZone(register.level());
    ZoneMember member =
        new ZoneMember(from, register.capacity(), electionScore.get(), register.distance());
    if (formation != null && formation.acceptsMembers(step.settings().zoneSize())) {
      addMember(formation, member);
    } else {
      step.count("overlay-registered-late");
      step.send(from, new ZoneJoinReply(register.zone(), false));
    }
  }

  private void addMember(ZoneFormation formation, ZoneMember member) {
    ZoneFormation larger = formation.add(member);
    step.put(
        switch (formation.stage()) {
          case MERGE_REFUSED -> larger.with(Stage.AWAITING_REPORTS);
          case ROOT -> larger.with(Stage.COLLECTING);
          default -> larger;
        });
    if (formation.collecting() || formation.stage() == Stage.ROOT) {
      step.send(member.peer(), new OverlayMessage.SignatureProbe(formation.id()));
    }
    if (formation.stage() == Stage.ROOT) {
      // The new member may crash before it answers; reports of the others would wait for it.
      step.raise(new OverlayEvent.LateMemberAsked(formation.level()));
    }
  }

  void joinRequested(PeerId from, ZoneJoinRequest zoneJoinRequest) {
    Optional<ElectionScore> electionScore = step.verifyScore(from, zoneJoinRequest.proof());
    if (electionScore.isEmpty()) {
      return;
    }
    ZoneFormation formation = step.formingZone(zoneJoinRequest.level());
    boolean accepted = formation != null && formation.acceptsMembers(step.settings().zoneSize());
    step.send(from, new ZoneJoinReply(zoneJoinRequest.zone(), accepted));
    if (formation != null && accepted) {
      addMember(
          formation,
          new ZoneMember(
              from, zoneJoinRequest.capacity(), electionScore.get(), step.settings().radius() + 1));
    }
  }

  void neighboursReported(PeerId from, NeighbourReport report) {
    ZoneFormation formation = step.formingZone(report.level());
    if (formation == null || !formation.id().equals(report.zone())) {
      step.count("overlay-report-for-other-zone");
      return;
    }
    step.put(formation.withReport(from, report.adjacentZones()));
    switch (formation.stage()) {
      case OPEN, AWAITING_REPORTS, MERGE_REFUSED, MERGING, MERGING_AGAIN ->
          settleIfReported(report.level());
      case COLLECTING, COLLECTING_AGAIN, CLUSTERING, PUBLISHED ->
          report.adjacentZones().forEach(each -> linkAbove(report.level(), each));
      case ROOT -> demoteRoot(report.level());
    }
  }

  /** Another zone of this level was discovered, so this zone is not the root. */
  void demoteRoot(int level) {
    ZoneFormation formation = step.formingZone(level);
    if (formation != null && formation.stage() == Stage.ROOT) {
      step.raise(new OverlayEvent.RootDemoted(level));
    }
  }

  private void linkAbove(int level, ZoneRef zone) {
    step.handle(new FormationEvent.InitiatorDiscovered(level + 1, zone.zone().initiator()));
  }

  void registrationTimedOut(int level) {
    ZoneFormation formation = step.formingZone(level);
    if (formation != null && formation.stage() == Stage.OPEN) {
      step.put(formation.with(Stage.AWAITING_REPORTS));
      settleIfReported(level);
    }
  }

  void reportsTimedOut(int level) {
    ZoneFormation formation = step.formingZone(level);
    if (formation != null && formation.stage() == Stage.AWAITING_REPORTS) {
      step.count("overlay-reports-missing");
      settle(formation.withPendingSplit(Optional.empty()));
    }
  }

  /** Members that have not reported may still have neighbours without a zone. */
  private void settleIfReported(int level) {
    ZoneFormation formation = step.formingZone(level);
    if (formation != null
        && formation.stage() == Stage.AWAITING_REPORTS
        && formation.pendingSplitLeader().isEmpty()
        && formation.reportedMembers().containsAll(formation.members().keySet())) {
      settle(formation);
    }
  }

  private void settle(ZoneFormation formation) {
    if (formation.members().size() == 1 && !formation.adjacentZones().isEmpty()) {
      seekMerge(formation, Stage.MERGING);
    } else if (formation.members().size() > step.settings().zoneSize()) {
      step.put(split(formation, formation.id(), membersByDistance(formation)));
    } else {
      startCollecting(formation);
    }
  }

  private static List<ZoneMember> membersByDistance(ZoneFormation formation) {
    return formation.members().values().stream().sorted(ZoneMember.BREADTH_FIRST).toList();
  }

  /** A zone of one peer has no replicas, so its initiator asks adjacent zones to admit it. */
  private void seekMerge(ZoneFormation formation, Stage stage) {
    step.put(formation.with(stage));
    List<ZoneRef> others = formation.adjacentZones().values().stream().sorted().toList();
    step.handle(new FormationEvent.AdmissionSought(formation.level(), others));
  }

  /**
   * Two single-peer zones that ask each other at the same time both refuse. Backoffs that depend on
   * their scores keep their retries apart.
   */
  void mergeRefused(int level) {
    ZoneFormation formation = step.formingZone(level);
    if (formation == null) {
      return;
    }
    LevelState levelState = step.levelState(level);
    step.put(levelState.with(ZoneAssignment.inZone(formation.zone(), 0)));
    // Peers that announced their zones during the attempt still wait for an announcement.
    levelState.neighbourZones().byPeer().keySet().stream()
        .filter(peer -> !levelState.links().contains(peer))
        .forEach(peer -> step.handle(new FormationEvent.ZoneAwaited(level, peer)));
    if (formation.stage() == Stage.MERGING) {
      step.put(formation.with(Stage.MERGE_REFUSED));
      long slots = 1 + Long.remainderUnsigned(formation.zone().scoreBits(), MERGE_BACKOFF_SLOTS);
      step.setLevelTimer(FormationTimer.MERGE_RETRY, level, 2 * slots * step.settings().hopTicks());
    } else {
      startCollecting(formation);
    }
    step.raise(new OverlayEvent.NeighbourZonesChanged(level));
  }

  void retryMerge(int level) {
    ZoneFormation formation = step.formingZone(level);
    if (formation != null && formation.stage() == Stage.MERGE_REFUSED) {
      seekMerge(formation, Stage.MERGING_AGAIN);
    }
  }

  /** Another zone admitted the initiator, so this zone is dissolved. */
  void mergedInto(int level, ZoneRef into) {
    if (step.formingZone(level) == null) {
      return;
    }
    step.put(step.state().dissolve(level, into));
    LevelState above = step.levelState(level + 1);
    step.put(LevelState.initial(level + 1));
    for (EarlyMessage each : above.earlyMessages()) {
      step.handle(new FormationEvent.MessageEarly(each.from(), each.message()));
    }
  }

  /** An adjacent zone was merged into another zone. */
  void neighbourMerged(PeerId from, ZoneMerged zoneMerged) {
    int level = zoneMerged.from().level();
    ZoneFormation formation = step.formingZone(level);
    LevelState above = step.levelState(level + 1);
    if (formation == null || !above.started()) {
      return;
    }
    SortedMap<ZoneId, ZoneRef> left = new TreeMap<>(formation.adjacentZones());
    left.remove(zoneMerged.from());
    step.put(formation.withAdjacent(left));
    step.put(
        above
            .with(Copies.without(above.links(), from))
            .with(
                new NeighbourZones(
                    Copies.without(above.neighbourZones().byPeer(), from),
                    above.neighbourZones().reported())));
    if (!zoneMerged.to().zone().equals(formation.id())) {
      step.put(formation.withAdjacent(Copies.with(left, zoneMerged.to().zone(), zoneMerged.to())));
      linkAbove(level, zoneMerged.to());
    }
    step.handle(new FormationEvent.NeighboursChanged(level + 1));
  }

  /**
   * Keeps the first members in the given order. The member with the lowest score among the rest
   * becomes their initiator. With a zone size above two, the rest is never a single peer, which
   * could only merge into another zone.
   */
  private ZoneFormation split(ZoneFormation formation, ZoneId registered, List<ZoneMember> order) {
    int most = step.settings().zoneSize();
    int kept = order.size() - most == 1 && most > 2 ? most - 1 : Math.min(most, order.size());
    SortedMap<PeerId, ZoneMember> members = new TreeMap<>();
    order.subList(0, kept).forEach(each -> members.put(each.peer(), each));
    List<ZoneMember> rest = order.subList(kept, order.size());
    if (rest.isEmpty()) {
      return formation.with(members);
    }
    ZoneMember next = rest.stream().min(Comparator.comparing(ZoneMember::score)).orElseThrow();
    step.send(next.peer(), new ZoneSplit(formation.zone(), registered, rest));
    ZoneId zone = new ZoneId(step.epoch(), formation.level(), next.peer());
    return formation
        .with(members)
        .addAdjacent(new ZoneRef(zone, next.score().bits()))
        .withPendingSplit(Optional.of(next.peer()));
  }

  /**
   * A zone that was split settles only after the new initiator has accepted. Messages on the next
   * level could otherwise overtake the {@link ZoneSplit}. A new initiator that had merged an
   * earlier zone would then reply {@link ZoneMerged}, and other zones would not wait for it when it
   * leads again.
   */
  void splitAccepted(PeerId from, SplitAccepted splitAccepted) {
    ZoneFormation formation = step.formingZone(splitAccepted.level());
    if (formation != null && formation.pendingSplitLeader().filter(from::equals).isPresent()) {
      step.put(formation.withPendingSplit(Optional.empty()));
      settleIfReported(splitAccepted.level());
    }
  }

  void splitReceived(ZoneSplit zoneSplit) {
    int level = zoneSplit.level();
    LevelState levelState = step.levelState(level);
    if (!levelState.isIn(zoneSplit.registeredZone())) {
      step.count("overlay-split-of-other-zone");
      return;
    }
    List<ZoneMember> order = new ArrayList<>(zoneSplit.members());
    order.sort(
        Comparator.<ZoneMember>comparingInt(each -> each.peer().equals(step.self()) ? 0 : 1)
            .thenComparing(ZoneMember.BREADTH_FIRST));
    ZoneRef zone = new ZoneRef(step.ownZone(level), step.ownScore().score().bits());
    ZoneFormation formation =
        ZoneFormation.of(zone, Stage.AWAITING_REPORTS).addAdjacent(zoneSplit.from());
    formation = split(formation, zoneSplit.registeredZone(), order);
    step.put(formation);
    for (PeerId member : formation.members().keySet()) {
      if (!member.equals(step.self())) {
        step.send(member, new ZoneChanged(zoneSplit.registeredZone(), zone));
      }
    }
    step.send(zoneSplit.from().zone().initiator(), new SplitAccepted(zoneSplit.from().zone()));
    step.setLevelTimer(
        FormationTimer.REPORT_TIMEOUT, level, REPORT_TIMEOUT_WAVES * step.settings().waveTicks());
    step.handle(new FormationEvent.ZoneReassigned(levelState, zone));
  }

  /** The zone is settled: collects signatures or clusters, and takes part on the next level. */
  private void startCollecting(ZoneFormation formation) {
    step.put(formation.with(Stage.COLLECTING));
    step.raise(new OverlayEvent.ZoneSettled(formation.level()));
    // Without an adjacent zone there is no election. After clustering, the zone is either the root
    // or takes part on the next level.
    if (!formation.adjacentZones().isEmpty()) {
      joinNextLevel(formation);
    }
  }

  /** The clusters of a zone are known. */
  void zoneClustered(int level) {
    ZoneFormation formation = step.formingZone(level);
    if (formation != null) {
      ZoneFormation published = formation.with(Stage.PUBLISHED);
      step.put(published);
      step.raise(new OverlayEvent.ZonePublished(level));
      joinNextLevel(published);
    }
  }

  /** Takes part on the next level, linked to the initiators of adjacent zones. */
  private void joinNextLevel(ZoneFormation formation) {
    if (formation.level() < ZoneId.MAX_LEVELS
        && !step.levelState(formation.level() + 1).started()) {
      List<PeerId> others =
          formation.adjacentZones().keySet().stream().map(ZoneId::initiator).sorted().toList();
      step.raise(new OverlayEvent.ElectionDue(formation.level() + 1, others));
    }
  }
}
