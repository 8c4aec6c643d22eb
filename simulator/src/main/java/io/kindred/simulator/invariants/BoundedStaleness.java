package io.kindred.simulator.invariants;

import io.kindred.core.Effect;
import io.kindred.core.Event;
import io.kindred.core.Observation;
import io.kindred.core.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Part;
import io.kindred.core.work.Predictor;
import io.kindred.core.work.Ticket;
import io.kindred.simulator.Inspector;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A model that is mixed was trained at most so many rounds ago. Which round a model is of is what
 * its maker said when it had trained it; the ticket of a mixture carries the round it is for. What
 * a peer trained itself it may keep for as long as it likes.
 */
final class BoundedStaleness implements Inspector {
  private final int bound;
  private final Map<Digest, Made> made = new TreeMap<>();

  private record Made(PeerId by, int round) {}

  BoundedStaleness(int bound) {
    this.bound = bound;
  }

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    for (Tagged<Effect> effect : step.effects()) {
      switch (effect.value()) {
        case Effect.Observe(Observation.Deployed deployed) -> remember(peer, deployed);
        case Effect.Compute(long round, Ticket.Mix mix) -> check(tick, peer, round, mix);
        case Effect.Observe _,
            Effect.Compute _,
            Effect.Send _,
            Effect.SetTimer _,
            Effect.Tell _ -> {}
      }
    }
  }

  private void remember(PeerId peer, Observation.Deployed deployed) {
    if (deployed.stage() == Observation.Stage.TRAINED
        && deployed.predictor() instanceof Predictor.Single single) {
      // The same model may be trained again after a crash; the newest round counts.
      made.merge(
          single.weights().digest(),
          new Made(peer, deployed.round()),
          (one, other) -> one.round() > other.round() ? one : other);
    }
  }

  private void check(long tick, PeerId peer, long round, Ticket.Mix mix) {
    for (Part part : mix.mixture().parts()) {
      Made model = made.get(part.weights().digest());
      if (model != null && !model.by().equals(peer) && model.round() < round - bound) {
        throw new Violation(
            getClass(),
            tick,
            String.format(
                Locale.ROOT,
                "%s mixes a model of round %d in round %d, but %d rounds are the bound",
                peer,
                model.round(),
                round,
                bound));
      }
    }
  }
}
