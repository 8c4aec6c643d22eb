package io.kindred.simulator.invariants;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.core.weights.MixturePart;
import io.kindred.simulator.StepListener;
import java.util.Locale;

/** A mixture is an average: its shares are not negative and sum to one. */
final class MixturesSumToOne implements StepListener {
  private static final double TOLERANCE = 1e-9;

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    for (Tagged<Effect> effect : step.effects()) {
      if (effect.value() instanceof Effect.Compute(long _, Ticket.Mix mix)) {
        double sum = 0;
        for (MixturePart part : mix.mixture().parts()) {
          if (!(part.coefficient() >= -TOLERANCE)) {
            throw new Violation(
                getClass(),
                tick,
                String.format(
                    Locale.ROOT, "%s mixes with a share of %s", peer, part.coefficient()));
          }
          sum += part.coefficient();
        }
        if (!(Math.abs(sum - 1) <= TOLERANCE)) {
          throw new Violation(
              getClass(),
              tick,
              String.format(Locale.ROOT, "%s mixes with shares that sum to %s", peer, sum));
        }
      }
    }
  }
}
