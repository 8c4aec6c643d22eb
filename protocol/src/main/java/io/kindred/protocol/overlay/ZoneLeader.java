package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ClusterDescriptor;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.MembershipMessage.Heartbeat;
import io.kindred.protocol.overlay.MembershipMessage.JoinForward;
import io.kindred.protocol.overlay.MembershipMessage.LeaseRenewal;
import io.kindred.protocol.overlay.MembershipMessage.Leave;
import io.kindred.protocol.overlay.MembershipMessage.NotLeader;
import io.kindred.protocol.overlay.MembershipMessage.ReplicaRemoved;
import io.kindred.protocol.overlay.MembershipMessage.ReplicateZone;
import io.kindred.protocol.overlay.MembershipMessage.ZoneFull;
import io.kindred.protocol.overlay.OverlayMessage.ClusterReport;
import io.kindred.protocol.overlay.OverlayMessage.ParentAssigned;
import io.kindred.protocol.overlay.OverlayMessage.ReplicaAssigned;
import io.kindred.protocol.overlay.OverlayMessage.RootClusters;
import io.kindred.protocol.overlay.ZoneState.ClusterEntry;
import io.kindred.protocol.overlay.ZoneState.MemberEntry;
import io.kindred.protocol.signature.QuantileSketch;
import io.kindred.protocol.vrf.ElectionScore;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the leader of a zone does for it once it is built. A change in the zone, such as a tenant
 * that is gone, is told to those whom it concerns: who holds the clusters, their peers or the
 * holders of the clusters in them, the deputies, and the leader of the zone above. If that changes
 * something there, it goes on in the same way; nobody else hears of it.
 */
final class ZoneLeader {
  private final OverlayStep step;

  ZoneLeader(OverlayStep step) {
    this.step = step;
  }

  /** The zone is built, or built once more. */
  void createZone(
      ZoneFormation formation, List<ClusterEntry> clusters, List<ClusterDescriptor> below) {
    SortedMap<PeerId, MemberEntry> members = new TreeMap<>();
    for (ZoneMember each : formation.members().values()) {
      ZoneFormation.ClusteringInput clusteringInput = formation.inputs().get(each.peer());
      Optional<ZoneId> lower =
          clusteringInput == null || clusteringInput.clusters().isEmpty()
              ? Optional.empty()
              : Optional.of(clusteringInput.clusters().getFirst().zone());
      members.put(
          each.peer(), new MemberEntry(each.peer(), each.capacity(), each.score(), lower, 0));
    }
    step.put(
        new ZoneState(
            formation.id(),
            nextVersion(formation.level()),
            !below.isEmpty(),
            members,
            clusters,
            below,
            formation.requestedBy().map(zone -> ZoneLease.of(zone, step.tick))));
    ZoneLease known = step.membership().leases().get(formation.level());
    if (formation.level() == 1 && known != null && !known.zone().equals(formation.id())) {
      step.send(known.leader(), new Leave(known.zone()));
    }
    step.put(ZoneLease.of(formation.id(), step.tick));
  }

  /** Of what is found out next about a zone. */
  long nextVersion(int level) {
    ZoneState known = step.membership().ledZones().get(level);
    return known == null ? 0 : known.version() + 1;
  }

  /** The first beat: deputies learn what they need. */
  void startLeases(ZoneState zone) {
    resetHeartbeats(zone);
    replicateToDeputies(zone);
    zone.members().values().forEach(each -> renewLease(zone, each));
  }

  private void resetHeartbeats(ZoneState zone) {
    SortedMap<PeerId, Long> heard = new TreeMap<>();
    heard.put(step.self(), step.tick);
    zone.members().keySet().forEach(peer -> heard.put(peer, step.tick));
    step.setHeartbeats(zone.level(), heard);
  }

  /**
   * Who leads next: the other tenants by score. A zone with no other tenant has those of the
   * leader's zone below, who take over that one at the same time.
   */
  List<PeerId> deputies(ZoneState zone) {
    List<PeerId> next = zone.successors(step.self());
    if (next.isEmpty()) {
      ZoneState below = step.membership().ledZones().get(zone.level() - 1);
      return below == null ? List.of() : deputies(below);
    }
    int most = Math.max(1, step.settings.replicas() - 1);
    return next.subList(0, Math.min(most, next.size()));
  }

  private void replicateToDeputies(ZoneState zone) {
    if (step.settings.maintenance().enabled()) {
      deputies(zone).forEach(each -> step.send(each, new ReplicateZone(zone)));
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
            deputies(zone),
            home,
            member.version(),
            step.membership().root(),
            step.membership().rootHeartbeat().sequence()));
  }

  /** The leader is a tenant as well. */
  void renewOwnLease(ZoneState zone) {
    step.put(new ZoneLease(zone.zone(), zone.version(), step.self(), deputies(zone), step.tick));
    if (zone.root()) {
      step.setRoot(new RootId(zone.zone(), ZoneState.term(zone.version()), step.self()));
    }
    propagateParentLease(zone.level());
    if (zone.level() == 1) {
      zone.clusterOf(step.self())
          .ifPresent(
              cluster ->
                  step.setHomeCluster(
                      Optional.of(
                          new ClusterReplica.ClusterPointer(
                              cluster.id(), cluster.descriptor().replicas()))));
    }
  }

  /** Who would lead the zone below next has to know who leads the one above. */
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
      ZoneState told = below.withParentLease(above);
      step.put(told);
      replicateToDeputies(told);
    }
  }

  void heartbeatReceived(PeerId from, Heartbeat heartbeat) {
    if (step.status.leaving()) {
      // Its successor will say so; what it says itself could arrive before that one knows.
      return;
    }
    ZoneState zone = step.membership().ledZones().get(heartbeat.zone().level());
    if (zone == null || !zone.zone().equals(heartbeat.zone())) {
      redirectToLeader(from, heartbeat.zone());
      return;
    }
    MemberEntry member = zone.members().get(from);
    if (member != null) {
      SortedMap<PeerId, Long> heard =
          step.membership().lastHeartbeats().getOrDefault(zone.level(), new TreeMap<>());
      step.setHeartbeats(zone.level(), Copies.with(heard, from, step.tick));
      renewLease(zone, member);
    } else if (zone.level() == 1) {
      step.send(from, new NotLeader(heartbeat.zone(), Long.MAX_VALUE, Optional.empty()));
    } else {
      // It leads a zone below since its last leader was lost, and shall say what is in it.
      step.send(
          from,
          new LeaseRenewal(
              zone.zone(),
              zone.version(),
              deputies(zone),
              Optional.empty(),
              -1,
              step.membership().root(),
              step.membership().rootHeartbeat().sequence()));
    }
  }

  /** Tells somebody who takes this peer for the leader of a zone what it knows of it. */
  private void redirectToLeader(PeerId from, ZoneId zone) {
    ZoneLease known = step.membership().leases().get(zone.level());
    if (known == null || !known.zone().equals(zone)) {
      step.send(from, new NotLeader(zone, Long.MAX_VALUE, Optional.empty()));
    } else if (!known.leader().equals(step.self()) && !known.leader().equals(from)) {
      step.send(from, new NotLeader(zone, known.version(), Optional.of(known.leader())));
    }
  }

  /** Tenants that are gone, and what was theirs. */
  void removeMembers(ZoneState zone, List<PeerId> gone) {
    ZoneState after = zone;
    for (PeerId peer : gone) {
      MemberEntry member = after.members().get(peer);
      if (member != null) {
        after = ClusterPlacement.withoutMember(after, member);
      }
    }
    applyChange(zone, after);
  }

  /** The clusters of a zone below have changed, or it has another leader, or it is new. */
  void clustersReported(PeerId from, ClusterReport clusterReport) {
    ZoneState zone = step.membership().ledZones().get(clusterReport.zone().level());
    if (zone == null || !zone.zone().equals(clusterReport.zone())) {
      step.count("overlay-offered-elsewhere");
      return;
    }
    if (!step.areComparable(clusterReport.clusters())) {
      step.count(ZoneClustering.OTHER_MODEL);
      return;
    }
    ClusterReport given = ClusterPlacement.suppressMinorChanges(zone, clusterReport);
    Optional<MemberEntry> known = zone.memberLeading(given.childZone());
    if (known.isPresent() && known.get().version() >= given.version()) {
      if (known.get().peer().equals(from)) {
        renewLease(zone, known.get());
      } else {
        step.send(
            from,
            new NotLeader(
                given.childZone(), known.get().version(), Optional.of(known.get().peer())));
      }
      return;
    }
    if (known.isEmpty() && (given.clusters().isEmpty() || !hasRoom(zone, given))) {
      step.send(from, new ZoneFull(zone.zone()));
      return;
    }
    // Who leads a zone that it has not started comes after those who were elected.
    ElectionScore electionScore = known.map(MemberEntry::score).orElse(new ElectionScore(-1, from));
    ZoneState after = known.map(each -> zone.without(each.peer())).orElse(zone);
    MemberEntry before = after.members().get(from);
    if (before != null) {
      // It led another zone, and nobody leads two: that one is no more, or will say who leads it.
      after = ClusterPlacement.withoutMember(after, before);
    }
    if (!given.clusters().isEmpty()) {
      after =
          after.add(
              new MemberEntry(
                  from,
                  0,
                  new ElectionScore(electionScore.bits(), from),
                  Optional.of(given.childZone()),
                  given.version()));
    }
    after =
        zone.root()
            ? after.withRootClusters(
                ClusterPlacement.replaceRootClusters(after.rootClusters(), given))
            : after.with(ClusterPlacement.placeClusters(after, given, step.settings));
    SortedMap<PeerId, Long> heard =
        step.membership().lastHeartbeats().getOrDefault(zone.level(), new TreeMap<>());
    step.setHeartbeats(zone.level(), Copies.with(heard, from, step.tick));
    applyChange(zone, after);
    MemberEntry member = after.members().get(from);
    if (member != null && !from.equals(step.self())) {
      renewLease(step.membership().ledZones().getOrDefault(zone.level(), after), member);
    }
  }

  /** The top has room for fewer than S_Z clusters, any zone for as many tenants. */
  private boolean hasRoom(ZoneState zone, ClusterReport given) {
    int most = step.settings.zoneSize();
    return zone.members().size() < most
        && (!zone.root() || zone.rootClusters().size() + given.clusters().size() < most);
  }

  /** A newcomer that was led here by the prototypes. */
  void admit(JoinForward joinForward) {
    ZoneState zone = step.membership().ledZones().get(1);
    PeerId peer = joinForward.joiner().peer();
    if (zone == null || !zone.zone().equals(joinForward.cluster().zone())) {
      step.count("overlay-offered-elsewhere");
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
    if (zone.members().size() >= step.settings.zoneSize() || zone.clusters().isEmpty()) {
      step.send(peer, new ZoneFull(zone.zone()));
      return;
    }
    step.count("overlay-joined");
    MemberEntry member =
        new MemberEntry(
            peer, joinForward.joiner().capacity(), electionScore.get(), Optional.empty(), 0);
    ClusterEntry cluster = zone.cluster(joinForward.cluster()).orElse(zone.clusters().getFirst());
    ZoneState after = zone.add(member).with(ClusterPlacement.withMember(cluster, peer));
    SortedMap<PeerId, Long> heard =
        step.membership().lastHeartbeats().getOrDefault(1, new TreeMap<>());
    step.setHeartbeats(1, Copies.with(heard, peer, step.tick));
    applyChange(zone, after);
    renewLease(step.membership().ledZones().getOrDefault(1, after), member);
  }

  /** Puts the changed zone in order and tells whom it concerns. */
  void applyChange(ZoneState before, ZoneState changed) {
    ZoneState repaired = ClusterPlacement.repairReplicas(changed, step.settings.replicas());
    // Otherwise only who leads a zone below, or how much of it is known.
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

  /** Now and then, for what may have been missed. */
  void republish(ZoneState zone) {
    republishClusters(zone);
    replicateToDeputies(zone);
  }

  /** Says once more all that others shall know of it. */
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

  /** Its leader is gone and this peer is next, or was asked to be. */
  void takeOver(ZoneState copy, PeerId last) {
    ZoneLease known = step.membership().leases().get(copy.level());
    long stamp = known == null ? copy.version() : Math.max(copy.version(), known.version());
    ZoneState mine = copy.inTerm(ZoneState.term(stamp) + 1);
    step.put(mine);
    resetHeartbeats(mine);
    Optional<ZoneLease> told = mine.parentLease();
    ZoneLease higher = step.membership().leases().get(mine.level() + 1);
    // What it knows itself of the zone above may be newer.
    if (told.isPresent()
        && (higher == null
            || !higher.zone().equals(told.get().zone())
            || higher.version() < told.get().version())) {
      step.put(told.get().withRenewal(step.tick));
    }
    MemberEntry lost = mine.level() == 1 ? mine.members().get(last) : null;
    applyChange(copy, lost == null ? mine : ClusterPlacement.withoutMember(mine, lost));
    ZoneState now = step.membership().ledZones().getOrDefault(mine.level(), mine);
    renewOwnLease(now);
    now.members().values().forEach(each -> renewLease(now, each));
    ZoneState below = step.membership().ledZones().get(mine.level() - 1);
    if (below != null) {
      reportClusters(below);
    }
    ZoneState above = step.membership().standbyZones().get(mine.level() + 1);
    ZoneLease elsewhere = step.membership().leases().get(mine.level() + 1);
    if (above != null
        && above.successors(last).isEmpty()
        && (elsewhere == null || elsewhere.zone().equals(above.zone()))) {
      takeOver(above, last);
    }
  }

  /**
   * Two took over in one term, and what the other one said may look newer than what this one says:
   * another term makes that plain.
   */
  void claimNewTerm(ZoneState zone) {
    ZoneState mine = zone.inTerm(ZoneState.term(zone.version()) + 1);
    step.put(mine);
    republishClusters(mine);
    renewOwnLease(mine);
    mine.members().values().forEach(each -> renewLease(mine, each));
    reportClusters(mine);
    replicateToDeputies(mine);
  }

  /** Nobody is left to lead it. */
  void dissolve(ZoneState zone) {
    reportClusters(zone.with(List.of()).nextVersion());
  }
}
