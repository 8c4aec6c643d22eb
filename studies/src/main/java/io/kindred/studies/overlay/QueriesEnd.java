package io.kindred.studies.overlay;

import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Ticks;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.machine.OverlayState;
import io.kindred.simulator.StepListener;
import io.kindred.simulator.invariants.Violation;

/** Every query ends, if only with an empty answer. */
final class QueriesEnd implements StepListener {
  /** Hop times that are longer than all attempts of a query together. */
  private static final int MOST_HOPS = 1024;

  private final long deadlineTicks;

  QueriesEnd(OverlaySettings settings) {
    deadlineTicks = Ticks.ofSeconds(MOST_HOPS * settings.hopSeconds());
  }

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    OverlayState state = (OverlayState) step.state().layers().getFirst();
    state
        .oldestPendingQuery()
        .ifPresent(
            since -> {
              // Measured by the peer's own clock: a paused or slow peer has not waited as long
              // itself.
              if (event.tick() - since > deadlineTicks) {
                throw new Violation(getClass(), tick, peer + " has waited since " + since);
              }
            });
  }
}
