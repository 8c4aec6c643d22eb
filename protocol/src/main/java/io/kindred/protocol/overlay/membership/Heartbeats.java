package io.kindred.protocol.overlay.membership;

import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Ticks;
import io.kindred.protocol.overlay.Copies;
import io.kindred.protocol.overlay.MaintenanceSettings;
import io.kindred.protocol.overlay.MembershipMessage.Heartbeat;
import io.kindred.protocol.overlay.MembershipMessage.Leave;
import io.kindred.protocol.overlay.MembershipMessage.RootGossip;
import io.kindred.protocol.overlay.MembershipMessage.TransferLeadership;
import io.kindred.protocol.overlay.OverlayEvent;
import io.kindred.protocol.overlay.RootId;
import io.kindred.protocol.overlay.ZoneLease;
import io.kindred.protocol.overlay.ZoneState;
import io.kindred.protocol.overlay.membership.LocalStatus.SplitSuspicion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Periodic maintenance (SemanticDFL, section 3.7). At every heartbeat a peer reports to the leaders
 * of its zones, removes members that timed out from the zones that it leads, takes over a zone
 * whose leader failed if it is the next deputy, and begins another epoch when that is due. Only the
 * newest overlay is maintained; an older one answers queries until the new one is built.
 */
final class Heartbeats {
  /** Waves after which building an overlay counts as failed. */
  private static final int BUILD_TIMEOUT_WAVES = 96;

  /** Leases without a renewal after which a member gives up its zone. */
  private static final int LEADER_TIMEOUT_LEASES = 6;

  /** Above the lowest level: the zone below replaces a failed leader in the meantime. */
  private static final int CHILD_ZONE_TIMEOUT_LEASES = 4;

  /** Leases without a root heartbeat after which the root counts as lost. */
  private static final int ROOT_TIMEOUT_LEASES = 12;

  /** Leases after which a leader publishes its zone again, for peers that missed a message. */
  private static final int REFRESH_LEASES = 16;

  private static final int GOSSIP_FANOUT = 2;

  private final MembershipStep step;
  private final MaintenanceSettings maintenance;

  Heartbeats(MembershipStep step) {
    this.step = step;
    maintenance = step.settings().maintenance();
  }

  void start() {
    if (maintenance.enabled()) {
      step.startHeartbeatTimer();
    }
  }

  void heartbeat() {
    step.put(step.status().nextHeartbeat());
    step.startHeartbeatTimer();
    if (step.status().leaving()) {
      return;
    }
    if (!step.epochs().any()) {
      step.handle(new MembershipEvent.OverlayLost());
      return;
    }
    if (step.isReady()) {
      maintain();
    } else if (step.status().joiningSince() >= 0 || epochAge() > buildTimeoutTicks()) {
      step.handle(new MembershipEvent.OverlayLost());
    }
  }

  /** True at one heartbeat per lease. */
  boolean isLeaseBoundary() {
    return step.status().heartbeats() % maintenance.heartbeats() == 0;
  }

  private long epochAge() {
    return step.view().epochAge();
  }

  private long buildTimeoutTicks() {
    return BUILD_TIMEOUT_WAVES * step.settings().waveTicks();
  }

  /** This peer elects new initiators and builds another overlay beside the current one. */
  void epochBegun() {
    step.count("overlay-epoch");
    step.put(step.status().withJoining(-1, List.of()));
    step.raise(new OverlayEvent.ElectionDue(1, step.status().neighbours()));
  }

  /**
   * Begins the next epoch to repair damage that cannot be repaired locally, such as the loss of all
   * root replicas. Not shortly after the last epoch began, or late peers would damage the new
   * overlay again.
   */
  void forceNewEpoch() {
    if (epochAge() > buildTimeoutTicks()) {
      step.count("overlay-epoch-forced");
      step.requestNextEpoch();
    }
  }

  private void maintain() {
    if (maintenance.epochSeconds() > 0
        && epochAge() >= Ticks.ofSeconds(maintenance.epochSeconds())) {
      step.requestNextEpoch();
      return;
    }
    Optional<ZoneState> rootZone =
        step.membership().ledZones().values().stream().filter(ZoneState::root).findFirst();
    if (rootZone.isPresent()) {
      step.recordRootHeartbeat(step.membership().rootHeartbeat().sequence() + 1);
      if (rootZone.get().rootClusters().size() >= Math.max(2, step.settings().zoneSize())) {
        // Child zones have more clusters than one root can hold: the hierarchy needs another level.
        forceNewEpoch();
        if (step.requestedEpoch()) {
          return;
        }
      }
    } else if (step.tick() - step.membership().rootHeartbeat().tick()
        > ROOT_TIMEOUT_LEASES * maintenance.leaseTicks()) {
      forceNewEpoch();
      return;
    }
    if (step.membership().ledZones().containsKey(1)) {
      checkMembers(1);
    }
    step.raise(new OverlayEvent.UpperZonesDue());
  }

  /** Checks the zones above the lowest one, and sends heartbeats to the leaders of all zones. */
  void maintainUpperZones() {
    for (int level : List.copyOf(step.membership().ledZones().tailMap(2).keySet())) {
      checkMembers(level);
    }
    for (ZoneLease lease : List.copyOf(step.membership().leases().values())) {
      if (!step.membership().ledZones().containsKey(lease.level())) {
        sendHeartbeat(lease);
      }
      if (step.requestedEpoch() || !step.isReady()) {
        return;
      }
    }
    if (isLeaseBoundary()) {
      step.raise(
          new OverlayEvent.ReplicaCheckDue(
              step.tick() - 3L * REFRESH_LEASES * maintenance.leaseTicks()));
      step.raise(new OverlayEvent.RootGossipDue());
    }
  }

  void gossipRoot() {
    step.membership().root().ifPresent(this::gossipRoot);
  }

  /** Sends the root to {@link #GOSSIP_FANOUT} neighbours at a time, all in rotation. */
  private void gossipRoot(RootId root) {
    List<PeerId> neighbours = step.status().neighbours();
    // The peer number keeps all peers from choosing the same neighbour at once.
    long first =
        GOSSIP_FANOUT
            * (step.self().number() + step.status().heartbeats() / maintenance.heartbeats());
    for (int i = 0; i < Math.min(GOSSIP_FANOUT, neighbours.size()); i++) {
      step.send(
          neighbours.get((int) ((first + i) % neighbours.size())),
          new RootGossip(step.epoch(), root));
    }
  }

  /** As a leader: removes members whose heartbeats timed out. */
  private void checkMembers(int level) {
    ZoneState zone = step.membership().ledZones().get(level);
    if (zone == null) {
      return;
    }
    if (level > 1 && !step.membership().ledZones().containsKey(level - 1)) {
      // This peer led the zone only as the leader of a zone below.
      transferLeadership(zone);
      step.leaveZone(level);
      return;
    }
    SortedMap<PeerId, Long> lastHeartbeats = step.membership().lastHeartbeats().get(level);
    // Members may have sent heartbeats before this peer knew that the overlay is built.
    if (lastHeartbeats == null || !lastHeartbeats.containsKey(step.self())) {
      step.handle(new MembershipEvent.LeasesDue(zone));
      return;
    }
    long limit = maintenance.leaseTicks() * (level == 1 ? 1 : CHILD_ZONE_TIMEOUT_LEASES);
    List<PeerId> timedOut = new ArrayList<>();
    for (PeerId member : zone.members().keySet()) {
      if (member.equals(step.self())) {
        continue;
      }
      if (!lastHeartbeats.containsKey(member)) {
        lastHeartbeats = Copies.with(lastHeartbeats, member, step.tick());
      } else if (step.tick() - lastHeartbeats.get(member) > limit) {
        timedOut.add(member);
      }
    }
    step.setHeartbeats(level, lastHeartbeats);
    // Another peer may have taken over the zone below while this peer was unreachable.
    ZoneState below = step.membership().ledZones().get(level - 1);
    if (below != null
        && zone.memberLeading(below.zone())
            .filter(each -> each.version() == below.version())
            .isEmpty()) {
      step.handle(new MembershipEvent.ReportDue(below));
    }
    long refresh = (long) REFRESH_LEASES * maintenance.heartbeats();
    if (!timedOut.isEmpty()) {
      timedOut.forEach(each -> step.count("overlay-member-timeout"));
      step.handle(new MembershipEvent.MembersLost(zone, timedOut));
    } else if (step.status().heartbeats() % refresh == step.self().number() % refresh) {
      step.handle(new MembershipEvent.RefreshDue(zone));
    }
    ZoneState now = step.membership().ledZones().get(level);
    if (now != null) {
      step.handle(new MembershipEvent.OwnLeaseDue(now));
    }
    if (level == 1 && zone.members().size() == 1 && isLeaseBoundary()) {
      step.handle(new MembershipEvent.ZoneLonely(zone));
    } else if (level == 1 && now != null) {
      step.raise(new OverlayEvent.DriftCheckDue(now));
    }
  }

  /** As a member: sends a heartbeat, and acts on a lease that the leader did not renew. */
  private void sendHeartbeat(ZoneLease lease) {
    ZoneState below = step.membership().ledZones().get(lease.level() - 1);
    if (lease.level() > 1 && below == null) {
      step.leaveZone(lease.level());
      return;
    }
    Heartbeat heartbeat = new Heartbeat(lease.zone(), below == null ? 0 : below.version());
    long silence = step.tick() - lease.renewedAt();
    step.send(lease.leader(), heartbeat);
    if (silence <= maintenance.leaseTicks()) {
      return;
    }
    int rank = lease.deputies().indexOf(step.self());
    ZoneState standby = step.membership().standbyZones().get(lease.level());
    if (rank >= 0
        && standby != null
        && standby.zone().equals(lease.zone())
        && silence > maintenance.leaseTicks() + rank * maintenance.leaseTicks() / 2) {
      step.count("overlay-taken-over");
      step.handle(new MembershipEvent.LeaderLost(standby, lease.leader()));
      return;
    }
    for (PeerId deputy : lease.deputies()) {
      if (!deputy.equals(step.self())) {
        step.send(deputy, heartbeat);
      }
    }
    if (silence > LEADER_TIMEOUT_LEASES * maintenance.leaseTicks()) {
      if (lease.level() == 1) {
        step.handle(new MembershipEvent.PlaceLost());
      } else {
        forceNewEpoch();
      }
    }
  }

  /** A neighbour may be in another overlay: each peer took its own for the only one. */
  void rootGossipReceived(RootGossip rootGossip) {
    if (!step.isReady() || epochAge() <= buildTimeoutTicks()) {
      return;
    }
    if (step.epochs().canFollow(rootGossip.epoch())) {
      step.handle(new MembershipEvent.PlaceLost());
    } else if (rootGossip.epoch() == step.epoch()) {
      compareRoots(rootGossip.root());
    }
  }

  /**
   * A change of the root leader takes time to spread. A root that differs for longer belongs to
   * another hierarchy.
   */
  private void compareRoots(RootId otherRoot) {
    Optional<RootId> own = step.membership().root();
    if (own.isEmpty() || own.get().equals(otherRoot)) {
      return;
    }
    long timeout = LEADER_TIMEOUT_LEASES * maintenance.leaseTicks();
    Optional<SplitSuspicion> splitSuspicion =
        step.status()
            .splitSuspicion()
            .filter(
                each ->
                    each.ownRoot().equals(own.get()) && step.tick() - each.lastSeen() <= timeout);
    long since = splitSuspicion.map(SplitSuspicion::since).orElse(step.tick());
    step.put(
        step.status()
            .withSuspicion(Optional.of(new SplitSuspicion(own.get(), since, step.tick()))));
    if (step.tick() - since > timeout) {
      step.count("overlay-split-detected");
      step.put(step.status().withSuspicion(Optional.empty()));
      forceNewEpoch();
    }
  }

  /** Transfers the leadership of all zones that this peer leads, and leaves. */
  void leave() {
    step.put(step.status().asLeaving());
    if (maintenance.enabled() && step.epochs().any()) {
      leaveZones();
    }
  }

  /** Leaves the zone on the lowest level and all zones above it. */
  void leaveZones() {
    ZoneLease home = step.membership().leases().get(1);
    if (home != null && !step.membership().ledZones().containsKey(1)) {
      step.send(home.leader(), new Leave(home.zone()));
    }
    List.copyOf(step.membership().ledZones().values()).forEach(this::transferLeadership);
    SortedMap<Integer, ZoneLease> all = new TreeMap<>(step.membership().leases());
    all.keySet().forEach(step::leaveZone);
    List.copyOf(step.membership().ledZones().keySet()).forEach(step::leaveZone);
    step.clearHomeCluster();
    step.raise(new OverlayEvent.ReplicasGivenUp());
    step.raise(new OverlayEvent.FormationAbandoned());
  }

  private void transferLeadership(ZoneState zone) {
    List<PeerId> next = step.zones().deputies(zone);
    if (next.isEmpty()) {
      // No deputy is left to lead the zone: it has no clusters any more.
      step.handle(new MembershipEvent.ReportDue(zone.with(List.of()).nextVersion()));
    } else {
      step.send(next.getFirst(), new TransferLeadership(zone));
    }
  }
}
