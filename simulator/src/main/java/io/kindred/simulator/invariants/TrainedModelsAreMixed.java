package io.kindred.simulator.invariants;

import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Observation.Weighting;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.MixturePart;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a peer trains is not lost: the model that it mixes with others is not the one from before
 * the training. Only for methods whose weights do not depend on models, because others may have
 * reasons to fall back on an earlier model.
 */
final class TrainedModelsAreMixed extends MixtureListener {
  private record Training(Digest from, Optional<Digest> to) {}

  private final Map<PeerId, Training> newest = new TreeMap<>();

  TrainedModelsAreMixed(DeliveredModels delivered) {
    super(delivered);
  }

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    Training known = newest.get(peer);
    if (event instanceof Event.Computed(long _, long _, Result.Trained trained) && known != null) {
      newest.put(peer, new Training(known.from(), Optional.of(trained.weights().digest())));
    }
    super.stepped(tick, peer, event, step);
    for (Tagged<Effect> effect : step.effects()) {
      if (effect.value() instanceof Effect.Compute(long _, Ticket.Train train)) {
        newest.put(peer, new Training(train.from().digest(), Optional.empty()));
      }
    }
  }

  @Override
  void restarted(PeerId peer) {
    newest.remove(peer);
  }

  @Override
  void mixed(ObservedMixture mixture) {
    Training training = newest.get(mixture.peer());
    if (mixture.mixed().weighting() == Weighting.ESTIMATED
        || training == null
        || training.to().isEmpty()
        || training.to().get().equals(training.from())) {
      return;
    }
    List<MixturePart> own = new ArrayList<>(mixture.mix().mixture().parts());
    receivedParts(mixture).forEach(each -> each.part().ifPresent(own::remove));
    for (MixturePart part : own) {
      if (part.weights().digest().equals(training.from())) {
        throw new Violation(
            getClass(),
            mixture.tick(),
            String.format(
                Locale.ROOT,
                "%s mixes the model from before its training with those of others",
                mixture.peer()));
      }
    }
  }
}
