package io.kindred.lab.overlay;

import io.kindred.core.Event;
import io.kindred.core.PeerId;
import io.kindred.core.Ticks;
import io.kindred.core.peer.PeerStep;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.OverlayState;
import io.kindred.simulator.Inspector;
import io.kindred.simulator.invariants.Violation;

/** No query is without an answer for ever, even if the answer is that there is none. */
final class QueriesEnd implements Inspector {
  /** More than all attempts of a query take, in hop times. */
  private static final int MOST_HOPS = 1024;

  private final long most;

  QueriesEnd(OverlaySettings settings) {
    most = Ticks.ofSeconds(MOST_HOPS * settings.hopSeconds());
  }

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    OverlayState state = (OverlayState) step.state().layers().getFirst();
    state
        .oldestQuery()
        .ifPresent(
            since -> {
              // A peer that stood still or whose clock is slow has not waited that long itself.
              if (event.tick() - since > most) {
                throw new Violation(getClass(), tick, peer + " has waited since " + since);
              }
            });
  }
}
