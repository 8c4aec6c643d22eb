package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.protocol.clusters.ZoneId;
import java.util.List;

/**
 * A zone as one of its peers knows it once it is built.
 *
 * @param stamp of the newest that it was told; see {@link Ward}
 * @param deputies who would lead it next, in this order
 * @param heard when its leader was last heard of, in ticks
 */
record Tenancy(ZoneId zone, long stamp, PeerId leader, List<PeerId> deputies, long heard) {
  Tenancy {
    deputies = List.copyOf(deputies);
  }

  static Tenancy of(ZoneId zone, long heard) {
    return new Tenancy(zone, 0, zone.initiator(), List.of(), heard);
  }

  Tenancy heardAt(long tick) {
    return new Tenancy(zone, stamp, leader, deputies, tick);
  }

  int level() {
    return zone.level();
  }
}
