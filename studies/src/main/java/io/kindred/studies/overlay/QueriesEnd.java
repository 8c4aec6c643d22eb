package io.kindred.studies.overlay;

import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Ticks;
import io.kindred.protocol.overlay.OverlaySettings;
import io.kindred.protocol.overlay.OverlayState;
import io.kindred.simulator.StepListener;
import io.kindred.simulator.invariants.Violation;

/** No query is without an answer for ever, even if the answer is that there is none. */
final class QueriesEnd implements StepListener {
  /** More than all attempts of a query take, in hop times. */
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
              // A peer that stood still or whose clock is slow has not waited that long itself.
              if (event.tick() - since > deadlineTicks) {
                throw new Violation(getClass(), tick, peer + " has waited since " + since);
              }
            });
  }
}
