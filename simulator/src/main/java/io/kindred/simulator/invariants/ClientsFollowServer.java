package io.kindred.simulator.invariants;

import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.methods.hfl.HflMessage;
import io.kindred.simulator.StepListener;
import java.util.Locale;

/**
 * Clients work in the round after the last one that their server has completed, at most. Not for
 * {@code hfl}, whose rounds a new coordinator may skip.
 */
final class ClientsFollowServer implements StepListener {
  private int completed;
  private boolean hierarchical;

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    for (Tagged<Effect> effect : step.effects()) {
      if (effect.value() instanceof Effect.Observe(Observation.RoundCompleted(int round))) {
        completed = Math.max(completed, round);
      }
      hierarchical |= effect.value() instanceof Effect.Send(PeerId _, HflMessage _);
      if (effect.value() instanceof Effect.Observe(Observation.Deployed deployed)
          && !hierarchical
          && deployed.round() > completed + 1) {
        throw new Violation(
            getClass(),
            tick,
            String.format(
                Locale.ROOT,
                "%s is in round %d, but the last that the server has completed is %d",
                peer,
                deployed.round(),
                completed));
      }
    }
  }
}
