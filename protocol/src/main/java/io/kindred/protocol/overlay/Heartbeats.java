package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Ticks;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.MembershipMessage.Heartbeat;
import io.kindred.protocol.overlay.MembershipMessage.Leave;
import io.kindred.protocol.overlay.MembershipMessage.RootGossip;
import io.kindred.protocol.overlay.MembershipMessage.TransferLeadership;
import io.kindred.protocol.overlay.OverlayState.LocalStatus.SplitSuspicion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The pulse of a peer (SemanticDFL, section 3.7): at every beat it gives a sign of life to those
 * who lead its zones, looks who was not heard of in the zones that it leads, takes over where a
 * leader is gone and it is its turn, and begins another epoch when that is due. Only the newest
 * overlay is looked after; an older one answers queries until the new one is built.
 */
final class Heartbeats {
  static final String HEARTBEAT_TIMER = "overlay-beat";

  /** Waves after which an overlay that is not built will not be any more. */
  private static final int BUILD_TIMEOUT_WAVES = 96;

  /** Leases without a leader after which a tenant gives up its zone. */
  private static final int LEADER_TIMEOUT_LEASES = 6;

  /** Above the lowest level: a zone below finds another leader in the meantime. */
  private static final int CHILD_ZONE_TIMEOUT_LEASES = 4;

  /** Leases without a sign of life from the top after which there is none. */
  private static final int ROOT_TIMEOUT_LEASES = 12;

  /** Leases after which is said once more what may have been missed. */
  private static final int REFRESH_LEASES = 16;

  private static final int GOSSIP_FANOUT = 2;

  private final OverlayStep step;
  private final MaintenanceSettings maintenance;

  Heartbeats(OverlayStep step) {
    this.step = step;
    maintenance = step.settings.maintenance();
  }

  void start() {
    if (maintenance.enabled()) {
      step.setTimer(HEARTBEAT_TIMER, 0, maintenance.heartbeatTicks());
    }
  }

  void heartbeat() {
    step.status = step.status.nextHeartbeat();
    step.setTimer(HEARTBEAT_TIMER, 0, maintenance.heartbeatTicks());
    if (step.status.leaving()) {
      return;
    }
    if (!step.hasEpoch(step.newestEpoch())) {
      new JoinProtocol(step).findOverlay();
      return;
    }
    step.enterEpoch(step.newestEpoch());
    if (step.epochState().isReady()) {
      maintain();
    } else if (step.status.joiningSince() >= 0 || epochAge() > buildTimeoutTicks()) {
      new JoinProtocol(step).findOverlay();
    }
  }

  /** Once a lease rather than once a beat. */
  boolean isLeaseBoundary() {
    return step.status.heartbeats() % maintenance.heartbeats() == 0;
  }

  private long epochAge() {
    return step.tick - step.epochState().startedAt();
  }

  private long buildTimeoutTicks() {
    return BUILD_TIMEOUT_WAVES * step.settings.waveTicks();
  }

  /** Others are elected and everything is built anew, beside what there is. */
  void beginEpoch(long epoch) {
    step.beginEpoch(epoch, true);
    step.count("overlay-epoch");
    step.status = step.status.withJoining(-1, List.of());
    new Elections(step).start(1, step.status.neighbours());
  }

  /**
   * Something is broken that cannot be mended nearby, such as all who held the top: the next epoch
   * mends it. Not at once after the last, or those that are late would break it again.
   */
  void forceNewEpoch() {
    if (epochAge() > buildTimeoutTicks()) {
      step.count("overlay-despaired");
      beginEpoch(step.newestEpoch() + 1);
    }
  }

  private void maintain() {
    long epoch = step.epoch();
    if (maintenance.epochSeconds() > 0
        && epochAge() >= Ticks.ofSeconds(maintenance.epochSeconds())) {
      beginEpoch(step.newestEpoch() + 1);
      return;
    }
    Optional<ZoneState> top =
        step.membership().ledZones().values().stream().filter(ZoneState::root).findFirst();
    if (top.isPresent()) {
      step.recordRootHeartbeat(step.membership().rootHeartbeat().sequence() + 1);
      if (top.get().rootClusters().size() >= Math.max(2, step.settings.zoneSize())) {
        // Zones below have found more clusters than one top has room for: it takes a level more.
        forceNewEpoch();
        if (step.epoch() != epoch) {
          return;
        }
      }
    } else if (step.tick - step.membership().rootHeartbeat().tick()
        > ROOT_TIMEOUT_LEASES * maintenance.leaseTicks()) {
      forceNewEpoch();
      return;
    }
    for (int level : List.copyOf(step.membership().ledZones().keySet())) {
      checkMembers(level);
    }
    for (ZoneLease lease : List.copyOf(step.membership().leases().values())) {
      if (!step.membership().ledZones().containsKey(lease.level())) {
        sendHeartbeat(lease);
      }
      if (step.epoch() != epoch || !step.epochState().isReady()) {
        return;
      }
    }
    if (isLeaseBoundary()) {
      dropStaleReplicas();
      step.membership().root().ifPresent(this::gossipRoot);
    }
  }

  /** Two neighbours at a time, all in turn. */
  private void gossipRoot(RootId top) {
    List<PeerId> neighbours = step.status.neighbours();
    // Not all the same one at once.
    long first =
        GOSSIP_FANOUT
            * (step.self().number() + step.status.heartbeats() / maintenance.heartbeats());
    for (int i = 0; i < Math.min(GOSSIP_FANOUT, neighbours.size()); i++) {
      step.send(
          neighbours.get((int) ((first + i) % neighbours.size())),
          new RootGossip(step.epoch(), top));
    }
  }

  /** A cluster that nobody speaks of any more has other holders. */
  private void dropStaleReplicas() {
    long oldest = step.tick - 3L * REFRESH_LEASES * maintenance.leaseTicks();
    for (ClusterReplica replica : step.replicas()) {
      if (replica.versions().lastHeard() < oldest) {
        step.count("overlay-vacated");
        step.dropReplica(replica.descriptor().id());
      }
    }
  }

  /** As a leader: who was not heard of for a lease is gone. */
  private void checkMembers(int level) {
    ZoneState zone = step.membership().ledZones().get(level);
    if (zone == null) {
      return;
    }
    if (level > 1 && !step.membership().ledZones().containsKey(level - 1)) {
      // It led this one as the leader of a zone below.
      transferLeadership(zone);
      step.leaveZone(level);
      return;
    }
    SortedMap<PeerId, Long> heard = step.membership().lastHeartbeats().get(level);
    // Tenants may have shown up before this peer itself knew that all is built.
    if (heard == null || !heard.containsKey(step.self())) {
      new ZoneLeader(step).startLeases(zone);
      return;
    }
    long limit = maintenance.leaseTicks() * (level == 1 ? 1 : CHILD_ZONE_TIMEOUT_LEASES);
    List<PeerId> gone = new ArrayList<>();
    for (PeerId tenant : zone.members().keySet()) {
      if (tenant.equals(step.self())) {
        continue;
      }
      if (!heard.containsKey(tenant)) {
        heard = Copies.with(heard, tenant, step.tick);
      } else if (step.tick - heard.get(tenant) > limit) {
        gone.add(tenant);
      }
    }
    step.setHeartbeats(level, heard);
    // Its own zone below may have found another leader while this one could not be reached.
    ZoneState below = step.membership().ledZones().get(level - 1);
    if (below != null
        && zone.memberLeading(below.zone())
            .filter(each -> each.version() == below.version())
            .isEmpty()) {
      new ZoneLeader(step).reportClusters(below);
    }
    long refresh = (long) REFRESH_LEASES * maintenance.heartbeats();
    if (!gone.isEmpty()) {
      gone.forEach(each -> step.count("overlay-gone"));
      new ZoneLeader(step).removeMembers(zone, gone);
    } else if (step.status.heartbeats() % refresh == step.self().number() % refresh) {
      new ZoneLeader(step).republish(zone);
    }
    ZoneState now = step.membership().ledZones().get(level);
    if (now != null) {
      new ZoneLeader(step).renewOwnLease(now);
    }
    if (level == 1 && zone.members().size() == 1 && isLeaseBoundary()) {
      new JoinProtocol(step).joinAnotherZone(zone);
    } else if (level == 1 && now != null) {
      new Reclustering(step).advance(now);
    }
  }

  /** As a tenant. */
  private void sendHeartbeat(ZoneLease lease) {
    ZoneState below = step.membership().ledZones().get(lease.level() - 1);
    if (lease.level() > 1 && below == null) {
      step.leaveZone(lease.level());
      return;
    }
    Heartbeat heartbeat = new Heartbeat(lease.zone(), below == null ? 0 : below.version());
    long silence = step.tick - lease.renewedAt();
    step.send(lease.leader(), heartbeat);
    if (silence <= maintenance.leaseTicks()) {
      return;
    }
    int rank = lease.deputies().indexOf(step.self());
    ZoneState copy = step.membership().standbyZones().get(lease.level());
    if (rank >= 0
        && copy != null
        && copy.zone().equals(lease.zone())
        && silence > maintenance.leaseTicks() + rank * maintenance.leaseTicks() / 2) {
      step.count("overlay-taken-over");
      new ZoneLeader(step).takeOver(copy, lease.leader());
      return;
    }
    for (PeerId deputy : lease.deputies()) {
      if (!deputy.equals(step.self())) {
        step.send(deputy, heartbeat);
      }
    }
    if (silence > LEADER_TIMEOUT_LEASES * maintenance.leaseTicks()) {
      if (lease.level() == 1) {
        new JoinProtocol(step).rejoin();
      } else {
        forceNewEpoch();
      }
    }
  }

  /** Two who are settled in different overlays, each thought to be the only one. */
  void rootGossipReceived(RootGossip rootGossip) {
    if (!step.hasEpoch(step.newestEpoch())) {
      return;
    }
    step.enterEpoch(step.newestEpoch());
    if (!step.epochState().isReady() || epochAge() <= buildTimeoutTicks()) {
      return;
    }
    if (step.canFollow(rootGossip.epoch())) {
      new JoinProtocol(step).rejoin();
    } else if (rootGossip.epoch() == step.epoch()) {
      compareRoots(rootGossip.root());
    }
  }

  /** News of another leader at the top takes its time; what differs for long is another top. */
  private void compareRoots(RootId top) {
    Optional<RootId> own = step.membership().root();
    if (own.isEmpty() || own.get().equals(top)) {
      return;
    }
    long patience = LEADER_TIMEOUT_LEASES * maintenance.leaseTicks();
    Optional<SplitSuspicion> splitSuspicion =
        step.status
            .splitSuspicion()
            .filter(
                each ->
                    each.ownRoot().equals(own.get()) && step.tick - each.lastSeen() <= patience);
    long since = splitSuspicion.map(SplitSuspicion::since).orElse(step.tick);
    step.status =
        step.status.withSuspicion(Optional.of(new SplitSuspicion(own.get(), since, step.tick)));
    if (step.tick - since > patience) {
      step.count("overlay-met-another");
      step.status = step.status.withSuspicion(Optional.empty());
      forceNewEpoch();
    }
  }

  /** Hands over whatever it leads and says goodbye. */
  void leave() {
    step.status = step.status.asLeaving();
    if (maintenance.enabled() && step.hasEpoch(step.newestEpoch())) {
      step.enterEpoch(step.newestEpoch());
      leaveZones();
    }
  }

  /** Leaves its zone and everything that it led above. */
  void leaveZones() {
    ZoneLease home = step.membership().leases().get(1);
    if (home != null && !step.membership().ledZones().containsKey(1)) {
      step.send(home.leader(), new Leave(home.zone()));
    }
    List.copyOf(step.membership().ledZones().values()).forEach(this::transferLeadership);
    SortedMap<Integer, ZoneLease> all = new TreeMap<>(step.membership().leases());
    all.keySet().forEach(step::leaveZone);
    List.copyOf(step.membership().ledZones().keySet()).forEach(step::leaveZone);
    step.replicas(new TreeMap<>());
    step.setHomeCluster(Optional.empty());
    step.leaveFormation();
  }

  private void transferLeadership(ZoneState zone) {
    List<PeerId> next = new ZoneLeader(step).deputies(zone);
    if (next.isEmpty()) {
      new ZoneLeader(step).dissolve(zone);
    } else {
      step.send(next.getFirst(), new TransferLeadership(zone));
    }
  }

  /** Whoever leads a zone on a level, as far as this peer knows. */
  Optional<PeerId> leaderOf(ZoneId zone) {
    ZoneState zoneState = step.membership().ledZones().get(zone.level());
    if (zoneState != null && zoneState.zone().equals(zone)) {
      return Optional.of(step.self());
    }
    ZoneLease lease = step.membership().leases().get(zone.level());
    return lease != null && lease.zone().equals(zone)
        ? Optional.of(lease.leader())
        : Optional.empty();
  }
}
