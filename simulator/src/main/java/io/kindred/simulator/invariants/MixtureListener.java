package io.kindred.simulator.invariants;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.Observation.MixedModel;
import io.kindred.core.peer.Observation.ModelsMixed;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.peer.Tagged;
import io.kindred.core.weights.MixturePart;
import io.kindred.simulator.StepListener;
import io.kindred.simulator.invariants.DeliveredModels.Delivered;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Follows the mixtures of received models: the observation of a mixture precedes its ticket in the
 * same step, and names the owners of the parts.
 */
abstract class MixtureListener implements StepListener {
  private static final double TOLERANCE = 1e-9;

  /** A mixture, and what its peer observes about it. */
  record ObservedMixture(long tick, PeerId peer, ModelsMixed mixed, Ticket.Mix mix) {}

  /**
   * A received part of a mixture.
   *
   * @param part the part; empty if no part has the observed weight and a model of the owner
   * @param messages what may have brought it: copies of a message may name other neighbours'
   *     numbers
   */
  record ReceivedPart(MixedModel model, Optional<MixturePart> part, List<Delivered> messages) {}

  final DeliveredModels delivered;

  MixtureListener(DeliveredModels delivered) {
    this.delivered = delivered;
  }

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    if (event instanceof Event.Started || event instanceof Event.Restored) {
      restarted(peer);
    }
    @Nullable ModelsMixed mixed = null;
    for (Tagged<Effect> effect : step.effects()) {
      if (effect.value() instanceof Effect.Observe(ModelsMixed observed)) {
        mixed = observed;
      }
      if (effect.value() instanceof Effect.Compute(long _, Ticket.Mix mix)) {
        if (mixed == null) {
          mixedUnobserved(tick, peer, mix);
        } else {
          mixed(new ObservedMixture(tick, peer, mixed, mix));
        }
        mixed = null;
      }
    }
  }

  /** A peer starts, or goes on after a crash. */
  void restarted(PeerId peer) {}

  /** A peer mixes models that it observes as received. */
  abstract void mixed(ObservedMixture mixture);

  /** A peer mixes models without an observation. */
  void mixedUnobserved(long tick, PeerId peer, Ticket.Mix mix) {}

  /** The parts that are received models, each with its message. */
  final List<ReceivedPart> receivedParts(ObservedMixture mixture) {
    List<MixturePart> left = new ArrayList<>(mixture.mix().mixture().parts());
    List<ReceivedPart> parts = new ArrayList<>();
    for (MixedModel model : mixture.mixed().models().reversed()) {
      if (model.weight() > 0) {
        ReceivedPart part = find(mixture.peer(), model, left);
        part.part().ifPresent(each -> removeLast(left, each));
        parts.addFirst(part);
      }
    }
    return parts;
  }

  private ReceivedPart find(PeerId peer, MixedModel model, List<MixturePart> parts) {
    for (MixturePart part : parts.reversed()) {
      if (Math.abs(part.coefficient() - model.weight()) <= TOLERANCE) {
        List<Delivered> messages =
            delivered.of(peer, part.weights().digest()).stream()
                .filter(each -> each.isOf(model.peer(), model.round()))
                .toList();
        if (!messages.isEmpty()) {
          return new ReceivedPart(model, Optional.of(part), messages);
        }
      }
    }
    return new ReceivedPart(model, Optional.empty(), List.of());
  }

  private static void removeLast(List<MixturePart> parts, MixturePart part) {
    parts.remove(parts.lastIndexOf(part));
  }

  static boolean isNear(double one, double other) {
    return Math.abs(one - other) <= TOLERANCE * Math.max(1, Math.abs(other));
  }
}
