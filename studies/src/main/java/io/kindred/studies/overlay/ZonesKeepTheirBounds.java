package io.kindred.studies.overlay;

import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.machine.OverlayState;
import io.kindred.simulator.StepListener;
import io.kindred.simulator.invariants.Violation;
import java.util.Optional;

/**
 * A built zone never has more than S_Z peers, and the leader of a level-1 zone is always its
 * member: otherwise the leader would be in two zones.
 */
final class ZonesKeepTheirBounds implements StepListener {
  private final OverlaySettings settings;

  ZonesKeepTheirBounds(OverlaySettings settings) {
    this.settings = settings;
  }

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    OverlayState state = (OverlayState) step.state().layers().getFirst();
    state
        .builtZones()
        .forEach(
            (zone, members) -> {
              if (members.size() > settings.zoneSize()) {
                throw new Violation(getClass(), tick, zone + " has " + members.size() + " peers");
              }
              if (zone.level() == 1 && !state.zone(1).equals(Optional.of(zone))) {
                throw new Violation(
                    getClass(), tick, peer + " leads " + zone + " and is in " + state.zone(1));
              }
            });
  }
}
