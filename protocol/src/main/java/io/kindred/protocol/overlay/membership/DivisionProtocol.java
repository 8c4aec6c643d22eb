package io.kindred.protocol.overlay.membership;

import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.ClusterReplica;
import io.kindred.protocol.overlay.MembershipMessage.DivideZone;
import io.kindred.protocol.overlay.MembershipMessage.MemberMoved;
import io.kindred.protocol.overlay.ZoneLease;
import io.kindred.protocol.overlay.ZoneState;
import java.util.List;

/**
 * Divides a full zone of the lowest level, so that it can admit a joining peer although all zones
 * are full. The leader tells every member that moves; one that misses the message joins again like
 * any peer that its leader no longer knows.
 */
final class DivisionProtocol {
  private final MembershipStep step;

  DivisionProtocol(MembershipStep step) {
    this.step = step;
  }

  /** Moves half of the members to a zone of their own: all zones are full, and a peer joins. */
  void divide(ZoneState zone) {
    ZoneDivision division =
        ZoneDivision.of(zone, step.self(), step.settings().replicas()).orElse(null);
    if (division == null) {
      return;
    }
    step.count("overlay-zone-divided");
    step.send(division.newLeader(), new DivideZone(zone.zone(), division.moved()));
    division
        .homes()
        .forEach(
            (peer, home) -> {
              if (!peer.equals(division.newLeader())) {
                step.send(
                    peer,
                    new MemberMoved(
                        zone.zone(),
                        new ClusterReplica.ClusterPointer(home.id(), home.descriptor().replicas()),
                        division.moved().version()));
              }
            });
    step.handle(new MembershipEvent.ZoneDivided(zone, division.kept()));
  }

  /** Leads the part of a divided zone that this peer was in. */
  void zoneDivided(DivideZone divided) {
    ZoneState part = divided.part();
    ZoneLease lease = step.membership().leases().get(1);
    if (!step.canLead(part)) {
      return;
    }
    if (lease == null
        || !lease.zone().equals(divided.from())
        || step.membership().ledZones().containsKey(1)
        || !part.members().containsKey(step.self())) {
      step.count("overlay-division-refused");
      return;
    }
    step.leaveZone(1);
    step.handle(new MembershipEvent.PartReceived(part));
  }

  /** This peer's zone was divided: it belongs to the new part, under another leader. */
  void moved(MemberMoved moved) {
    ZoneLease lease = step.membership().leases().get(1);
    ZoneId zone = moved.home().cluster().zone();
    if (lease == null
        || !lease.zone().equals(moved.from())
        || step.membership().ledZones().containsKey(1)
        || zone.level() != 1) {
      step.count("overlay-division-refused");
      return;
    }
    step.leaveZone(1);
    step.put(new ZoneLease(zone, moved.version(), zone.initiator(), List.of(), step.tick()));
    step.setHomeCluster(moved.home());
  }
}
