package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.protocol.clustering.ZoneId;
import java.util.List;

/**
 * A member's lease on its built zone, which the zone's leader renews.
 *
 * @param version newest version received from the leader; see {@link ZoneState}
 * @param deputies peers that would take over the zone, in this order
 * @param renewedAt when the leader last renewed the lease, in ticks
 */
@Buildable
public record ZoneLease(
    ZoneId zone, long version, PeerId leader, List<PeerId> deputies, long renewedAt) {
  public ZoneLease {
    deputies = List.copyOf(deputies);
  }

  public static ZoneLease of(ZoneId zone, long renewedAt) {
    return new ZoneLease(zone, 0, zone.initiator(), List.of(), renewedAt);
  }

  public ZoneLease withRenewal(long tick) {
    return ZoneLeaseBuilder.from(this).renewedAt(tick).build();
  }

  public int level() {
    return zone.level();
  }
}
