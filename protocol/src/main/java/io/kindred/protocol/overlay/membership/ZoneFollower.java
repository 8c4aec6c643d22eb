package io.kindred.protocol.overlay.membership;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.ClusterReplica;
import io.kindred.protocol.overlay.MembershipMessage.LeaseRenewal;
import io.kindred.protocol.overlay.MembershipMessage.Leave;
import io.kindred.protocol.overlay.MembershipMessage.NotLeader;
import io.kindred.protocol.overlay.MembershipMessage.ReplicateZone;
import io.kindred.protocol.overlay.MembershipMessage.TransferLeadership;
import io.kindred.protocol.overlay.OverlayLocalMessage;
import io.kindred.protocol.overlay.OverlayMessage.HomeClusterAssigned;
import io.kindred.protocol.overlay.OverlayMessage.OverlayBuilt;
import io.kindred.protocol.overlay.ZoneLease;
import io.kindred.protocol.overlay.ZoneLeaseBuilder;
import io.kindred.protocol.overlay.ZoneState;
import java.util.List;
import java.util.Optional;

/**
 * Handles messages from the leaders of this peer's zones, including those that end its own
 * leadership.
 */
final class ZoneFollower {
  private final MembershipStep step;

  ZoneFollower(MembershipStep step) {
    this.step = step;
  }

  void leaseRenewed(PeerId from, LeaseRenewal leaseRenewal) {
    int level = leaseRenewal.zone().level();
    ZoneLease known = step.membership().leases().get(level);
    ZoneState led = step.membership().ledZones().get(level);
    if (level == 1 && (known == null || !known.zone().equals(leaseRenewal.zone()))) {
      joinZone(from, leaseRenewal);
      return;
    }
    if (known == null || !known.zone().equals(leaseRenewal.zone())) {
      return;
    }
    boolean leaseValid =
        step.tick() - known.renewedAt() <= step.settings().maintenance().leaseTicks();
    if (!from.equals(known.leader())
        && (led != null || leaseValid || isOlderTerm(leaseRenewal.version(), known))
        && !supersedes(leaseRenewal.version(), from, known)) {
      step.send(
          from, new NotLeader(leaseRenewal.zone(), known.version(), Optional.of(known.leader())));
      if (led != null && ZoneState.term(leaseRenewal.version()) == ZoneState.term(led.version())) {
        step.handle(new MembershipEvent.TermContested(led));
      }
      return;
    }
    if (led != null) {
      stepDown(level);
    }
    acceptLeader(from, leaseRenewal);
    if (level == 1) {
      leaseRenewal.homeCluster().ifPresent(step::setHomeCluster);
    } else {
      syncWithParent(leaseRenewal);
    }
  }

  private static boolean isOlderTerm(long version, ZoneLease known) {
    return ZoneState.term(version) < ZoneState.term(known.version());
  }

  /** Whether a leader has a later term, or in the same term, after two takeovers, the lower id. */
  private static boolean supersedes(long version, PeerId leader, ZoneLease known) {
    int byTerm = Long.compare(ZoneState.term(version), ZoneState.term(known.version()));
    return byTerm > 0 || (byTerm == 0 && leader.compareTo(known.leader()) < 0);
  }

  private void acceptLeader(PeerId from, LeaseRenewal leaseRenewal) {
    step.put(
        new ZoneLease(
            leaseRenewal.zone(),
            leaseRenewal.version(),
            from,
            leaseRenewal.deputies(),
            step.tick()));
    // The leader of the root zone knows its root and heartbeat best itself.
    if (step.membership().ledZones().values().stream().noneMatch(ZoneState::root)) {
      leaseRenewal.root().ifPresent(step::setRoot);
      step.recordRootHeartbeat(leaseRenewal.rootHeartbeat());
    }
    ZoneState standby = step.membership().standbyZones().get(leaseRenewal.zone().level());
    if (standby != null && !leaseRenewal.deputies().contains(step.self())) {
      dropStandby(standby);
    }
  }

  private void dropStandby(ZoneState standby) {
    ZoneLease kept = step.membership().leases().get(standby.level());
    step.leaveZone(standby.level());
    if (kept != null) {
      step.put(kept);
    }
  }

  /** A zone has admitted this peer. If the peer already has a zone, it leaves the new one. */
  private void joinZone(PeerId from, LeaseRenewal leaseRenewal) {
    boolean joining = step.status().joiningSince() >= 0;
    if (leaseRenewal.homeCluster().isEmpty() || !joining) {
      step.send(from, new Leave(leaseRenewal.zone()));
      return;
    }
    step.handle(new MembershipEvent.ZonesGivenUp());
    acceptLeader(from, leaseRenewal);
    leaseRenewal.homeCluster().ifPresent(step::setHomeCluster);
    step.put(step.status().withJoining(-1, List.of()));
  }

  /**
   * Reports the child zone if the parent's leader has another version of it, and replicates a new
   * parent lease to the child zone's deputies.
   */
  private void syncWithParent(LeaseRenewal leaseRenewal) {
    int level = leaseRenewal.zone().level();
    ZoneState below = step.membership().ledZones().get(level - 1);
    if (below == null) {
      return;
    }
    step.handle(new MembershipEvent.ParentLeaseChanged(level));
    if (leaseRenewal.knownVersion() != below.version()) {
      step.handle(new MembershipEvent.ReportDue(below));
    }
  }

  private void stepDown(int level) {
    step.count("overlay-stepped-down");
    ZoneLease kept = step.membership().leases().get(level);
    step.leaveZone(level);
    if (kept != null) {
      step.put(kept);
    }
    // The peer was in the zones above only as the leader of this one.
    for (int above = level + 1; step.membership().leases().containsKey(above); above++) {
      step.leaveZone(above);
    }
  }

  void leaderCorrected(PeerId from, NotLeader notLeader) {
    int level = notLeader.zone().level();
    ZoneLease known = step.membership().leases().get(level);
    ZoneState led = step.membership().ledZones().get(level);
    if (known == null || !known.zone().equals(notLeader.zone())) {
      return;
    }
    if (notLeader.leader().isEmpty()) {
      if (level == 1 && led == null) {
        step.handle(new MembershipEvent.PlaceLost());
      } else if (led == null) {
        // That peer no longer leads the parent zone: expire the lease to ask its deputies.
        long past = step.tick() - step.settings().maintenance().leaseTicks() - 1;
        step.put(known.withRenewal(Math.min(known.renewedAt(), past)));
      }
      return;
    }
    PeerId leader = notLeader.leader().get();
    boolean believed =
        (led == null || isParentLeader(from, level))
            ? !isOlderTerm(notLeader.version(), known)
            : supersedes(notLeader.version(), leader, known);
    if (leader.equals(step.self()) || !believed) {
      return;
    }
    if (led != null) {
      stepDown(level);
    }
    step.put(ZoneLeaseBuilder.from(known).version(notLeader.version()).leader(leader).build());
  }

  /**
   * Two peers that took over in the same term, each with followers, may never hear from each other.
   * Both hear from the leader of the parent zone, which knows one of them.
   */
  private boolean isParentLeader(PeerId peer, int level) {
    ZoneLease above = step.membership().leases().get(level + 1);
    return above != null && above.leader().equals(peer);
  }

  void zoneReplicated(ReplicateZone replicateZone) {
    ZoneState zone = replicateZone.state();
    if (!step.canLead(zone)) {
      return;
    }
    ZoneState known = step.membership().standbyZones().get(zone.level());
    ZoneState led = step.membership().ledZones().get(zone.level());
    if (led == null && (known == null || known.version() <= zone.version())) {
      step.putStandby(zone);
    }
  }

  void leadershipTransferred(PeerId from, TransferLeadership transferLeadership) {
    ZoneState zone = transferLeadership.state();
    if (!step.canLead(zone)) {
      return;
    }
    ZoneLease lease = step.membership().leases().get(zone.level());
    boolean elsewhere = lease != null && !lease.zone().equals(zone.zone());
    if (elsewhere || step.membership().ledZones().containsKey(zone.level())) {
      step.count("overlay-transfer-refused");
      return;
    }
    step.count("overlay-leadership-transferred");
    step.putStandby(zone);
    step.handle(new MembershipEvent.LeaderLost(zone, from));
  }

  void memberLeft(PeerId from, Leave leave) {
    ZoneId zone = leave.zone();
    ZoneState zoneState = step.membership().ledZones().get(zone.level());
    if (zoneState != null
        && zoneState.zone().equals(zone)
        && zoneState.members().containsKey(from)) {
      step.count("overlay-left");
      step.handle(new MembershipEvent.MembersLost(zoneState, List.of(from)));
    }
  }

  void homeClusterAssigned(HomeClusterAssigned homeClusterAssigned) {
    ZoneId zone = homeClusterAssigned.cluster().zone();
    ZoneLease known = step.membership().leases().get(1);
    if (known != null && !known.zone().equals(zone)) {
      // Lost messages can make two zones count this peer as a member: it stays in the first one.
      step.send(zone.initiator(), new Leave(zone));
      return;
    }
    step.setHomeCluster(
        new ClusterReplica.ClusterPointer(
            homeClusterAssigned.cluster(), homeClusterAssigned.replicas()));
    step.put(ZoneLease.of(zone, step.tick()));
  }

  /** This peer learns that the overlay is built. */
  void overlayBuilt(OverlayBuilt overlayBuilt) {
    // A root that was demoted is followed by another root, which sends this message again.
    step.setRoot(overlayBuilt.root());
    step.recordRootHeartbeat(1);
    if (step.setSignatureEntries(overlayBuilt.signatureEntries())) {
      // Leaders maintain their zones from now on: leases of zones built long before start now.
      List.copyOf(step.membership().leases().values())
          .forEach(lease -> step.put(lease.withRenewal(step.tick())));
      step.notifyMethod(
          new OverlayLocalMessage.Ready(overlayBuilt.epoch(), overlayBuilt.signatureEntries()));
    }
  }

  /** The zone that this peer leads below a zone belongs to it. */
  void parentZoneKnown(ZoneId parent) {
    ZoneLease above = ZoneLease.of(parent, step.tick());
    step.put(above);
    ZoneState led = step.membership().ledZones().get(parent.level() - 1);
    if (led != null) {
      step.put(led.withParentLease(above));
    }
  }
}
