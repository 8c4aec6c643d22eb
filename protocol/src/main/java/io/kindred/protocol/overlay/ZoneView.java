package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** What a peer knows of its built zones, by level: its leases, and the zones that it leads. */
public record ZoneView(
    PeerId self,
    SortedMap<Integer, ZoneLease> leases,
    SortedMap<Integer, ZoneState> ledZones,
    OverlaySettings settings) {
  /**
   * The peers that take over next: the other members by score. A zone without other members has the
   * deputies of the leader's child zone, which take over both zones at the same time.
   */
  public List<PeerId> deputies(ZoneState zone) {
    List<PeerId> next = zone.successors(self);
    if (next.isEmpty()) {
      ZoneState below = ledZones.get(zone.level() - 1);
      return below == null ? List.of() : deputies(below);
    }
    int most = Math.max(1, settings.replicas() - 1);
    return next.subList(0, Math.min(most, next.size()));
  }

  /** The next version of the zone that this peer leads on a level; zero where there is none yet. */
  public long nextVersion(int level) {
    ZoneState known = ledZones.get(level);
    return known == null ? 0 : known.version() + 1;
  }

  /** The leader of a zone, as far as this peer knows. */
  public Optional<PeerId> leaderOf(ZoneId zone) {
    ZoneState zoneState = ledZones.get(zone.level());
    if (zoneState != null && zoneState.zone().equals(zone)) {
      return Optional.of(self);
    }
    ZoneLease lease = leases.get(zone.level());
    return lease != null && lease.zone().equals(zone)
        ? Optional.of(lease.leader())
        : Optional.empty();
  }
}
