package io.kindred.simulator.invariants;

import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.MessageValues;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.MixturePart;
import io.kindred.methods.contract.Conduct;
import io.kindred.simulator.StepListener;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A mixed model was trained at most {@code bound} rounds ago. The round of a model is the one its
 * trainer reported after training, and the one that the mixing peer observes; the ticket of a
 * mixture carries the round of the mixture. A peer may keep its own models for any time. What a
 * hostile peer claims of its models cannot be checked. Weights that a hostile peer sent are not
 * checked either, even if an honest peer has trained the same ones: the training of an adopted
 * model with enormous weights changes none of them.
 */
final class BoundedStaleness implements StepListener {
  private final int bound;
  private final Conduct.Hostility hostility;
  private final Map<Digest, TrainedModel> trainedModels = new TreeMap<>();

  private final Map<PeerId, Set<Digest>> ownModels = new TreeMap<>();

  private final Set<Digest> sentByHostilePeers = new TreeSet<>();

  private record TrainedModel(PeerId trainer, int round) {}

  BoundedStaleness(int bound, Conduct.Hostility hostility) {
    this.bound = bound;
    this.hostility = hostility;
  }

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    if (event instanceof Event.Computed(long _, long _, Result.Mixed mixed)) {
      // The average of one received model alone is that model.
      ownModels.computeIfAbsent(peer, unseen -> new TreeSet<>()).add(mixed.weights().digest());
    }
    for (Tagged<Effect> effect : step.effects()) {
      switch (effect.value()) {
        case Effect.Observe(Observation.Deployed deployed) -> recordTrained(peer, deployed);
        case Effect.Observe(Observation.ModelsMixed mixed) -> check(tick, peer, mixed);
        case Effect.Compute(long round, Ticket.Mix mix) -> check(tick, peer, round, mix);
        case Effect.Send send when hostility.isHostile(peer) ->
            MessageValues.weights(send.message())
                .forEach(each -> sentByHostilePeers.add(each.digest()));
        case Effect.Observe _,
            Effect.Compute _,
            Effect.Send _,
            Effect.SetTimer _,
            Effect.Notify _ -> {}
      }
    }
  }

  private void recordTrained(PeerId peer, Observation.Deployed deployed) {
    if (deployed.stage() == Observation.Stage.TRAINED
        && deployed.predictor() instanceof Predictor.Single single) {
      // The same model may be trained again after a crash; the newest round counts.
      trainedModels.merge(
          single.weights().digest(),
          new TrainedModel(peer, deployed.round()),
          (one, other) -> one.round() > other.round() ? one : other);
    }
  }

  private void check(long tick, PeerId peer, Observation.ModelsMixed mixed) {
    for (Observation.MixedModel model : mixed.models()) {
      if (model.weight() > 0) {
        check(tick, peer, mixed.round(), model.round());
      }
    }
  }

  private void check(long tick, PeerId peer, long round, int modelRound) {
    if (modelRound < round - bound) {
      throw new Violation(
          getClass(),
          tick,
          String.format(
              Locale.ROOT,
              "%s mixes a model of round %d in round %d, but the bound is %d rounds",
              peer,
              modelRound,
              round,
              bound));
    }
  }

  private void check(long tick, PeerId peer, long round, Ticket.Mix mix) {
    for (MixturePart part : mix.mixture().parts()) {
      TrainedModel model = trainedModels.get(part.weights().digest());
      boolean own = ownModels.getOrDefault(peer, new TreeSet<>()).contains(part.weights().digest());
      if (model != null
          && !own
          && !model.trainer().equals(peer)
          && !hostility.isHostile(model.trainer())
          && !sentByHostilePeers.contains(part.weights().digest())) {
        check(tick, peer, round, model.round());
      }
    }
  }
}
