package io.kindred.simulator.invariants;

import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A peer mixes received models only as it observes: every observed model is a part with that weight
 * which a message of its owner and round has brought, the remaining parts have the observed own
 * weight, and no mixture of received models goes unobserved.
 */
final class OnlyReceivedModelsAreMixed extends MixtureListener {
  private final Map<PeerId, Set<Digest>> own = new TreeMap<>();

  OnlyReceivedModelsAreMixed(DeliveredModels delivered) {
    super(delivered);
  }

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    if (event instanceof Event.Computed computed) {
      switch (computed.result()) {
        case Result.Trained trained -> own(peer, trained.weights());
        case Result.Mixed mixed -> own(peer, mixed.weights());
        case Result.Losses _, Result.Outputs _, Result.Answered _ -> {}
      }
    }
    for (Tagged<Effect> effect : step.effects()) {
      switch (effect.value()) {
        case Effect.Compute(long _, Ticket.Train train) -> own(peer, train.from());
        case Effect.Observe(Observation.Deployed deployed)
            when deployed.predictor() instanceof Predictor.Single(Weights weights) ->
            own(peer, weights);
        case Effect.Compute _,
            Effect.Observe _,
            Effect.Send _,
            Effect.SetTimer _,
            Effect.Notify _ -> {}
      }
    }
    super.stepped(tick, peer, event, step);
  }

  private void own(PeerId peer, Weights weights) {
    own.computeIfAbsent(peer, unseen -> new TreeSet<>()).add(weights.digest());
  }

  @Override
  void mixed(ObservedMixture mixture) {
    double left = 0;
    for (MixturePart part : mixture.mix().mixture().parts()) {
      left += part.coefficient();
    }
    for (ReceivedPart each : receivedParts(mixture)) {
      if (each.part().isEmpty()) {
        throw new Violation(
            getClass(),
            mixture.tick(),
            String.format(
                Locale.ROOT,
                "%s observes that it mixes a model of %s of round %d with a share of %s, but"
                    + " received none that is such a part",
                mixture.peer(),
                each.model().peer(),
                each.model().round(),
                each.model().weight()));
      }
      left -= each.model().weight();
    }
    if (!isNear(left, mixture.mixed().ownWeight())) {
      throw new Violation(
          getClass(),
          mixture.tick(),
          String.format(
              Locale.ROOT,
              "%s observes a share of %s for its own model, but the parts leave %s",
              mixture.peer(),
              mixture.mixed().ownWeight(),
              left));
    }
  }

  @Override
  void mixedUnobserved(long tick, PeerId peer, Ticket.Mix mix) {
    Set<Digest> known = own.getOrDefault(peer, Set.of());
    for (MixturePart part : mix.mixture().parts()) {
      Digest digest = part.weights().digest();
      if (!known.contains(digest) && !delivered.of(peer, digest).isEmpty()) {
        throw new Violation(
            getClass(),
            tick,
            String.format(
                Locale.ROOT,
                "%s mixes a model of %s, but does not observe it",
                peer,
                delivered.of(peer, digest).getFirst().from()));
      }
    }
  }
}
