package io.kindred.protocol.overlay.membership;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.ClusterReplica;
import io.kindred.protocol.overlay.Copies;
import io.kindred.protocol.overlay.MembershipMessage.Heartbeat;
import io.kindred.protocol.overlay.MembershipMessage.JoinForward;
import io.kindred.protocol.overlay.MembershipMessage.LeaseRenewal;
import io.kindred.protocol.overlay.MembershipMessage.Leave;
import io.kindred.protocol.overlay.MembershipMessage.NotLeader;
import io.kindred.protocol.overlay.MembershipMessage.ReplicaRemoved;
import io.kindred.protocol.overlay.MembershipMessage.ReplicateZone;
import io.kindred.protocol.overlay.MembershipMessage.ZoneFull;
import io.kindred.protocol.overlay.OverlayEvent;
import io.kindred.protocol.overlay.OverlayMessage.ClusterReport;
import io.kindred.protocol.overlay.OverlayMessage.ParentAssigned;
import io.kindred.protocol.overlay.OverlayMessage.ReplicaAssigned;
import io.kindred.protocol.overlay.OverlayMessage.RootClusters;
import io.kindred.protocol.overlay.RootId;
import io.kindred.protocol.overlay.SubProtocolStep;
import io.kindred.protocol.overlay.ZoneLease;
import io.kindred.protocol.overlay.ZoneState;
import io.kindred.protocol.overlay.ZoneState.ClusterEntry;
import io.kindred.protocol.overlay.ZoneState.MemberEntry;
import io.kindred.protocol.overlay.clustering.ClusterPlacement;
import io.kindred.protocol.signature.QuantileSketch;
import io.kindred.protocol.vrf.ElectionScore;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the leader of a built zone does for it. The leader sends a change in the zone, such as a
 * member that is down, to the peers it concerns: the replicas of the clusters, their peers or the
 * replicas of their child clusters, the deputies, and the leader of the parent zone. If the change
 * affects the parent zone, its leader does the same there; no other peer is notified.
 */
final class ZoneLeader {
  private final MembershipStep step;

  ZoneLeader(MembershipStep step) {
    this.step = step;
  }

  /** Creates the state of a zone that was built, or built again. */
  void createZone(OverlayEvent.ZoneBuilt built) {
    ZoneId zone = built.zone();
    step.put(
        new ZoneState(
            zone,
            step.zones().nextVersion(zone.level()),
            !built.rootClusters().isEmpty(),
            built.members(),
            built.clusters(),
            built.rootClusters(),
            built.parentZone().map(above -> ZoneLease.of(above, step.tick()))));
    ZoneLease known = step.membership().leases().get(zone.level());
    if (zone.level() == 1 && known != null && !known.zone().equals(zone)) {
      step.send(known.leader(), new Leave(known.zone()));
    }
    step.put(ZoneLease.of(zone, step.tick()));
  }

  /** The leader's first heartbeat: deputies get the zone state, members their leases. */
  void startLeases(ZoneState zone) {
    resetHeartbeats(zone);
    replicateToDeputies(zone);
    renewLeases(zone);
  }

  private void renewLeases(ZoneState zone) {
    zone.members().values().forEach(each -> renewLease(zone, each));
  }

  /** Leads a part of a divided zone, and places it under the parent zone of the divided one. */
  void leadPart(ZoneState part) {
    step.put(part);
    part.parentLease().ifPresent(above -> step.put(above.withRenewal(step.tick())));
    resetHeartbeats(part);
    republish(part);
    renewOwnLease(part);
    renewLeases(part);
    reportClusters(part);
  }

  private void resetHeartbeats(ZoneState zone) {
    SortedMap<PeerId, Long> lastHeartbeats = new TreeMap<>();
    lastHeartbeats.put(step.self(), step.tick());
    zone.members().keySet().forEach(peer -> lastHeartbeats.put(peer, step.tick()));
    step.setHeartbeats(zone.level(), lastHeartbeats);
  }

  private void replicateToDeputies(ZoneState zone) {
    if (step.settings().maintenance().enabled()) {
      step.zones().deputies(zone).forEach(each -> step.send(each, new ReplicateZone(zone)));
    }
  }

  private void renewLease(ZoneState zone, MemberEntry member) {
    if (member.peer().equals(step.self())) {
      renewOwnLease(zone);
      return;
    }
    Optional<ClusterReplica.ClusterPointer> home =
        zone.clusterOf(member.peer())
            .map(
                cluster ->
                    new ClusterReplica.ClusterPointer(
                        cluster.id(), cluster.descriptor().replicas()));
    step.send(
        member.peer(),
        new LeaseRenewal(
            zone.zone(),
            zone.version(),
            step.zones().deputies(zone),
            home,
            member.version(),
            step.membership().root(),
            step.membership().rootHeartbeat().sequence()));
  }

  /** The leader is a member as well and renews its own lease. */
  void renewOwnLease(ZoneState zone) {
    step.put(
        new ZoneLease(
            zone.zone(), zone.version(), step.self(), step.zones().deputies(zone), step.tick()));
    if (zone.root()) {
      step.setRoot(new RootId(zone.zone(), ZoneState.term(zone.version()), step.self()));
    }
    propagateParentLease(zone.level());
    if (zone.level() == 1) {
      zone.clusterOf(step.self())
          .ifPresent(
              cluster ->
                  step.setHomeCluster(
                      new ClusterReplica.ClusterPointer(
                          cluster.id(), cluster.descriptor().replicas())));
    }
  }

  /** Deputies of the child zone must know the leader of the parent zone. */
  void propagateParentLease(int level) {
    ZoneState below = step.membership().ledZones().get(level - 1);
    ZoneLease above = step.membership().leases().get(level);
    if (below == null || above == null) {
      return;
    }
    boolean known =
        below
            .parentLease()
            .filter(
                each ->
                    each.leader().equals(above.leader())
                        && each.deputies().equals(above.deputies())
                        && each.zone().equals(above.zone()))
            .isPresent();
    if (!known) {
      ZoneState updated = below.withParentLease(above);
      step.put(updated);
      replicateToDeputies(updated);
    }
  }

  void heartbeatReceived(PeerId from, Heartbeat heartbeat) {
    if (step.status().leaving()) {
      // The successor answers: a reply from here could arrive before the successor leads.
      return;
    }
    ZoneState zone = step.membership().ledZones().get(heartbeat.zone().level());
    if (zone == null || !zone.zone().equals(heartbeat.zone())) {
      redirectToLeader(from, heartbeat.zone());
      return;
    }
    MemberEntry member = zone.members().get(from);
    if (member != null) {
      SortedMap<PeerId, Long> lastHeartbeats =
          step.membership().lastHeartbeats().getOrDefault(zone.level(), new TreeMap<>());
      step.setHeartbeats(zone.level(), Copies.with(lastHeartbeats, from, step.tick()));
      renewLease(zone, member);
    } else if (zone.level() == 1) {
      step.send(from, new NotLeader(heartbeat.zone(), Long.MAX_VALUE, Optional.empty()));
    } else {
      // The sender has taken over a child zone whose leader was lost, and must report its clusters.
      step.send(
          from,
          new LeaseRenewal(
              zone.zone(),
              zone.version(),
              step.zones().deputies(zone),
              Optional.empty(),
              -1,
              step.membership().root(),
              step.membership().rootHeartbeat().sequence()));
    }
  }

  /** Names the zone's leader, if known, to a peer that assumes this one leads the zone. */
  private void redirectToLeader(PeerId from, ZoneId zone) {
    ZoneLease known = step.membership().leases().get(zone.level());
    if (known == null || !known.zone().equals(zone)) {
      step.send(from, new NotLeader(zone, Long.MAX_VALUE, Optional.empty()));
    } else if (!known.leader().equals(step.self()) && !known.leader().equals(from)) {
      step.send(from, new NotLeader(zone, known.version(), Optional.of(known.leader())));
    }
  }

  /** Removes members that are down or have left, with the clusters of their child zones. */
  void removeMembers(ZoneState zone, List<PeerId> removed) {
    ZoneState after = zone;
    for (PeerId peer : removed) {
      MemberEntry member = after.members().get(peer);
      if (member != null) {
        after = ClusterPlacement.withoutMember(after, member);
      }
    }
    applyChange(zone, after);
  }

  /** A child zone has other clusters or another leader, or is new. */
  void clustersReported(PeerId from, ClusterReport clusterReport) {
    ZoneState zone = step.membership().ledZones().get(clusterReport.zone().level());
    if (zone == null || !zone.zone().equals(clusterReport.zone())) {
      step.count("overlay-input-for-other-zone");
      return;
    }
    if (!step.areComparable(clusterReport.clusters())) {
      step.count(SubProtocolStep.OTHER_MODEL);
      return;
    }
    ClusterReport report = ClusterPlacement.suppressMinorChanges(zone, clusterReport);
    Optional<MemberEntry> known = zone.memberLeading(report.childZone());
    if (known.isPresent() && known.get().version() >= report.version()) {
      if (known.get().peer().equals(from)) {
        renewLease(zone, known.get());
      } else {
        step.send(
            from,
            new NotLeader(
                report.childZone(), known.get().version(), Optional.of(known.get().peer())));
      }
      return;
    }
    if (known.isEmpty() && (report.clusters().isEmpty() || !hasRoom(zone, report))) {
      step.send(from, new ZoneFull(zone.zone()));
      return;
    }
    // The leader of a new child zone has no verified score: it ranks after elected members.
    ElectionScore electionScore = known.map(MemberEntry::score).orElse(new ElectionScore(-1, from));
    ZoneState after = known.map(each -> zone.without(each.peer())).orElse(zone);
    MemberEntry before = after.members().get(from);
    if (before != null) {
      // A peer leads one zone per level: its former one ended, or will report a new leader.
      after = ClusterPlacement.withoutMember(after, before);
    }
    if (!report.clusters().isEmpty()) {
      after =
          after.add(
              new MemberEntry(
                  from,
                  0,
                  new ElectionScore(electionScore.bits(), from),
                  Optional.of(report.childZone()),
                  report.version()));
    }
    after =
        zone.root()
            ? after.withRootClusters(
                ClusterPlacement.replaceRootClusters(after.rootClusters(), report))
            : after.with(ClusterPlacement.placeClusters(after, report, step.settings()));
    SortedMap<PeerId, Long> lastHeartbeats =
        step.membership().lastHeartbeats().getOrDefault(zone.level(), new TreeMap<>());
    step.setHeartbeats(zone.level(), Copies.with(lastHeartbeats, from, step.tick()));
    applyChange(zone, after);
    MemberEntry member = after.members().get(from);
    if (member != null && !from.equals(step.self())) {
      renewLease(step.membership().ledZones().getOrDefault(zone.level(), after), member);
    }
  }

  /** The root zone has room for fewer than S_Z clusters, any zone for S_Z members. */
  private boolean hasRoom(ZoneState zone, ClusterReport report) {
    int most = step.settings().zoneSize();
    return zone.members().size() < most
        && (!zone.root() || zone.rootClusters().size() + report.clusters().size() < most);
  }

  /** Admits a joining peer that the prototypes led to this zone. */
  void admit(JoinForward joinForward) {
    ZoneState zone = step.membership().ledZones().get(1);
    PeerId peer = joinForward.joiner().peer();
    if (zone == null || !zone.zone().equals(joinForward.cluster().zone())) {
      step.count("overlay-input-for-other-zone");
      return;
    }
    MemberEntry known = zone.members().get(peer);
    if (known != null) {
      renewLease(zone, known);
      return;
    }
    Optional<ElectionScore> electionScore = step.verifyScore(peer, joinForward.joiner().proof());
    if (electionScore.isEmpty()) {
      return;
    }
    ZoneState open = zone;
    if (zone.members().size() >= step.settings().zoneSize() && joinForward.division()) {
      step.handle(new MembershipEvent.ZoneOverfull(zone));
      open = step.membership().ledZones().getOrDefault(1, zone);
    }
    if (open.members().size() >= step.settings().zoneSize() || open.clusters().isEmpty()) {
      step.send(peer, new ZoneFull(zone.zone()));
      return;
    }
    addMember(open, joinForward, electionScore.get());
  }

  private void addMember(ZoneState zone, JoinForward joinForward, ElectionScore score) {
    PeerId peer = joinForward.joiner().peer();
    step.count("overlay-joined");
    MemberEntry member =
        new MemberEntry(peer, joinForward.joiner().capacity(), score, Optional.empty(), 0);
    ClusterEntry cluster = zone.cluster(joinForward.cluster()).orElse(zone.clusters().getFirst());
    ZoneState after = zone.add(member).with(ClusterPlacement.withMember(cluster, peer));
    SortedMap<PeerId, Long> lastHeartbeats =
        step.membership().lastHeartbeats().getOrDefault(1, new TreeMap<>());
    step.setHeartbeats(1, Copies.with(lastHeartbeats, peer, step.tick()));
    applyChange(zone, after);
    renewLease(step.membership().ledZones().getOrDefault(1, after), member);
  }

  /** Repairs the replica sets of a changed zone and sends the change to the peers it concerns. */
  void applyChange(ZoneState before, ZoneState changed) {
    ZoneState repaired = ClusterPlacement.repairReplicas(changed, step.settings().replicas());
    // If not, only the leader of a child zone or its version has changed.
    boolean news = !repaired.hasSameContent(before);
    ZoneState after = news ? repaired.nextVersion() : repaired;
    step.put(after);
    SortedSet<PeerId> moved = new TreeSet<>();
    for (ClusterEntry cluster : after.clusters()) {
      Optional<ClusterEntry> old = before.cluster(cluster.id());
      if (old.isEmpty() || !old.get().equals(cluster)) {
        assignReplicas(after, old, cluster);
        moved.addAll(cluster.members());
      }
    }
    for (ClusterEntry old : before.clusters()) {
      Optional<ClusterEntry> now = after.cluster(old.id());
      for (PeerId peer : old.descriptor().replicas()) {
        if (now.isEmpty() || !now.get().descriptor().replicas().contains(peer)) {
          step.send(peer, new ReplicaRemoved(old.id(), after.version()));
        }
      }
    }
    for (MemberEntry member : after.members().values()) {
      if (moved.contains(member.peer()) || member.peer().equals(step.self())) {
        renewLease(after, member);
      }
    }
    if (!before.rootClusters().equals(after.rootClusters())) {
      publishRoots(after);
    }
    if (news) {
      reportClusters(after);
    }
    if (news || !before.members().keySet().equals(after.members().keySet())) {
      replicateToDeputies(after);
    }
  }

  /** Sends the zone state again from time to time, in case messages were lost. */
  void republish(ZoneState zone) {
    republishClusters(zone);
    replicateToDeputies(zone);
  }

  /** Sends all cluster assignments of the zone again. */
  private void republishClusters(ZoneState zone) {
    zone.clusters().forEach(cluster -> assignReplicas(zone, Optional.empty(), cluster));
    publishRoots(zone);
  }

  private void assignReplicas(ZoneState zone, Optional<ClusterEntry> old, ClusterEntry cluster) {
    List<PeerId> replicas = cluster.descriptor().replicas();
    ReplicaAssigned news =
        new ReplicaAssigned(
            cluster.descriptor(), cluster.members(), cluster.children(), zone.version());
    replicas.forEach(each -> step.send(each, news));
    boolean others = old.isEmpty() || !old.get().descriptor().replicas().equals(replicas);
    for (ClusterDescriptor child : cluster.children()) {
      boolean same =
          old.isPresent()
              && old.get().children().stream()
                  .anyMatch(
                      each ->
                          each.id().equals(child.id()) && each.replicas().equals(child.replicas()));
      if (others || !same) {
        ParentAssigned parentAssigned =
            new ParentAssigned(child.id(), cluster.id(), replicas, zone.version());
        child.replicas().forEach(each -> step.send(each, parentAssigned));
      }
    }
  }

  private void publishRoots(ZoneState zone) {
    for (ClusterDescriptor root : zone.rootClusters()) {
      RootClusters rootClusters = new RootClusters(root.id(), zone.rootClusters(), zone.version());
      root.replicas().forEach(each -> step.send(each, rootClusters));
    }
  }

  void reportClusters(ZoneState zone) {
    ZoneLease above = step.membership().leases().get(zone.level() + 1);
    if (above != null) {
      step.send(
          above.leader(),
          new ClusterReport(
              above.zone(),
              zone.zone(),
              zone.version(),
              zone.descriptors(),
              QuantileSketch.empty()));
    }
  }

  /** Takes over a zone whose leader is down or has transferred the leadership to this peer. */
  void takeOver(ZoneState standby, PeerId lastLeader) {
    ZoneLease known = step.membership().leases().get(standby.level());
    long version = known == null ? standby.version() : Math.max(standby.version(), known.version());
    ZoneState mine = standby.inTerm(ZoneState.term(version) + 1);
    step.put(mine);
    resetHeartbeats(mine);
    Optional<ZoneLease> replicatedLease = mine.parentLease();
    ZoneLease higher = step.membership().leases().get(mine.level() + 1);
    // This peer's own lease on the parent zone may be newer.
    if (replicatedLease.isPresent()
        && (higher == null
            || !higher.zone().equals(replicatedLease.get().zone())
            || higher.version() < replicatedLease.get().version())) {
      step.put(replicatedLease.get().withRenewal(step.tick()));
    }
    MemberEntry lost = mine.level() == 1 ? mine.members().get(lastLeader) : null;
    applyChange(standby, lost == null ? mine : ClusterPlacement.withoutMember(mine, lost));
    ZoneState now = step.membership().ledZones().getOrDefault(mine.level(), mine);
    renewOwnLease(now);
    renewLeases(now);
    ZoneState below = step.membership().ledZones().get(mine.level() - 1);
    if (below != null) {
      reportClusters(below);
    }
    ZoneState above = step.membership().standbyZones().get(mine.level() + 1);
    ZoneLease elsewhere = step.membership().leases().get(mine.level() + 1);
    if (above != null
        && above.successors(lastLeader).isEmpty()
        && (elsewhere == null || elsewhere.zone().equals(above.zone()))) {
      takeOver(above, lastLeader);
    }
  }

  /**
   * Two peers took over in the same term, so messages of the other one may look newer than those of
   * this peer. A new term settles which are newer.
   */
  void claimNewTerm(ZoneState zone) {
    ZoneState mine = zone.inTerm(ZoneState.term(zone.version()) + 1);
    step.put(mine);
    republishClusters(mine);
    renewOwnLease(mine);
    renewLeases(mine);
    reportClusters(mine);
    replicateToDeputies(mine);
  }
}
