package io.kindred.simulator.invariants;

import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.methods.hfl.HflMessage;
import io.kindred.simulator.StepListener;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Within one incarnation a participant of {@code hfl} that knows a term no longer works for the
 * coordinator of an older one, nor as that coordinator.
 */
final class OldTermsAreFenced implements StepListener {
  private final Map<PeerId, Long> known = new TreeMap<>();

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    if (event instanceof Event.Started || event instanceof Event.Restored) {
      known.remove(peer);
    }
    if (event instanceof Event.Received(long _, PeerId _, HflMessage message)
        && (message instanceof HflMessage.Begin
            || message instanceof HflMessage.Lease
            || message instanceof HflMessage.NewerTerm)) {
      known.merge(peer, message.roundAttempt().term(), Math::max);
    }
    for (Tagged<Effect> effect : step.effects()) {
      if (effect.value() instanceof Effect.Send(PeerId _, HflMessage message)
          && (message instanceof HflMessage.Begin
              || message instanceof HflMessage.Lease
              || message instanceof HflMessage.Assignment
              || message instanceof HflMessage.SubmitReport
              || message instanceof HflMessage.Outcome
              || message instanceof HflMessage.RegionOutcome)
          && message.roundAttempt().term() < known.getOrDefault(peer, 0L)) {
        throw new Violation(
            getClass(),
            tick,
            String.format(
                Locale.ROOT, "%s sends %s, but knows term %d", peer, message, known.get(peer)));
      }
    }
  }
}
