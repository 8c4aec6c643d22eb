package io.kindred.simulator.invariants;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.simulator.StepListener;
import java.util.Locale;
import java.util.SortedSet;

/** A peer requests only the kinds of work that its method declares; a node refuses any other. */
record OnlyDeclaredWork(SortedSet<Ticket.Kind> declared) implements StepListener {
  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    for (Tagged<Effect> effect : step.effects()) {
      if (effect.value() instanceof Effect.Compute(long _, Ticket work)
          && !declared.contains(work.kind())) {
        throw new Violation(
            getClass(),
            tick,
            String.format(
                Locale.ROOT,
                "%s asks for %s, which is not among the declared needs %s",
                peer,
                work.kind(),
                declared));
      }
    }
  }
}
