package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ZoneId;
import java.util.List;

/**
 * A zone as one of its peers knows it once it is built.
 *
 * @param version of the newest that it was told; see {@link ZoneState}
 * @param deputies who would lead it next, in this order
 * @param renewedAt when its leader was last heard of, in ticks
 */
record ZoneLease(ZoneId zone, long version, PeerId leader, List<PeerId> deputies, long renewedAt) {
  ZoneLease {
    deputies = List.copyOf(deputies);
  }

  static ZoneLease of(ZoneId zone, long heard) {
    return new ZoneLease(zone, 0, zone.initiator(), List.of(), heard);
  }

  ZoneLease withRenewal(long tick) {
    return new ZoneLease(zone, version, leader, deputies, tick);
  }

  int level() {
    return zone.level();
  }
}
