package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ZoneId;
import io.kindred.protocol.vrf.Epoch;

/**
 * What every sub-protocol may read in a step: the peer, its settings, the epoch and the time.
 *
 * @param previousEpoch the epoch whose seed the scores of the present one follow from
 * @param startedAt tick at which the peer began the epoch
 */
public record StepView(OverlayContext context, Epoch previousEpoch, long startedAt, long tick) {
  public PeerId self() {
    return context.self();
  }

  public OverlaySettings settings() {
    return context.settings();
  }

  public long epoch() {
    return previousEpoch.number() + 1;
  }

  /** The zone that this peer leads on a level, if it starts one. */
  public ZoneId ownZone(int level) {
    return new ZoneId(epoch(), level, self());
  }

  /** How long ago the peer began the epoch. */
  public long epochAge() {
    return tick - startedAt;
  }
}
