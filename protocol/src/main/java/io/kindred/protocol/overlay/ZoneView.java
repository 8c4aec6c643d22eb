package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.overlay.EpochState.MembershipState;
import java.util.List;
import java.util.Optional;

/** What a peer knows of its zones from its state: their leaders, deputies and versions. */
record ZoneView(PeerId self, MembershipState membership, OverlaySettings settings) {
  /**
   * The peers that take over next: the other members by score. A zone without other members has the
   * deputies of the leader's child zone, which take over both zones at the same time.
   */
  List<PeerId> deputies(ZoneState zone) {
    List<PeerId> next = zone.successors(self);
    if (next.isEmpty()) {
      ZoneState below = membership.ledZones().get(zone.level() - 1);
      return below == null ? List.of() : deputies(below);
    }
    int most = Math.max(1, settings.replicas() - 1);
    return next.subList(0, Math.min(most, next.size()));
  }

  /** The next version of the zone that this peer leads on a level; zero where there is none yet. */
  long nextVersion(int level) {
    ZoneState known = membership.ledZones().get(level);
    return known == null ? 0 : known.version() + 1;
  }

  /** The leader of a zone, as far as this peer knows. */
  Optional<PeerId> leaderOf(ZoneId zone) {
    ZoneState zoneState = membership.ledZones().get(zone.level());
    if (zoneState != null && zoneState.zone().equals(zone)) {
      return Optional.of(self);
    }
    ZoneLease lease = membership.leases().get(zone.level());
    return lease != null && lease.zone().equals(zone)
        ? Optional.of(lease.leader())
        : Optional.empty();
  }
}
