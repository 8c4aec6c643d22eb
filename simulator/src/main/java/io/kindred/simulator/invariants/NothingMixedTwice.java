package io.kindred.simulator.invariants;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.weights.Digest;
import io.kindred.simulator.invariants.DeliveredModels.Delivered;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A received model goes into a model of a peer at most once between two trainings, and into a model
 * of a server at most once in all rounds: not again when its message is duplicated, late or sent
 * again. What is mixed after a restart counts anew, because the peer repeats what was interrupted.
 * Steps of a cluster within a round are the matter of {@link NothingAggregatedTwice}.
 */
final class NothingMixedTwice extends MixtureListener {
  /** Where a model went, and whose model it was. */
  private record Use(int slot, PeerId owner, int round, Digest weights) {}

  private final int peers;
  private final Map<PeerId, Map<String, Integer>> uses = new TreeMap<>();

  NothingMixedTwice(DeliveredModels delivered, int peers) {
    super(delivered);
    this.peers = peers;
  }

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    super.stepped(tick, peer, event, step);
    if (peer.number() < peers
        && step.effects().stream()
            .anyMatch(effect -> effect.value() instanceof Effect.Compute(long _, Ticket.Train _))) {
      uses.remove(peer);
    }
  }

  @Override
  void restarted(PeerId peer) {
    uses.remove(peer);
  }

  @Override
  void mixed(ObservedMixture mixture) {
    PeerId peer = mixture.peer();
    int round = mixture.mixed().round();
    Map<String, Integer> known = uses.computeIfAbsent(peer, unseen -> new TreeMap<>());
    Map<String, Integer> inMixture = new TreeMap<>();
    for (ReceivedPart each : receivedParts(mixture)) {
      if (each.part().isEmpty()) {
        continue;
      }
      Use use =
          new Use(
              mixture.mixed().slot(),
              each.model().peer(),
              each.model().round(),
              each.part().get().weights().digest());
      // A head averages a member once in every step, perhaps with equal weights.
      Delivered message = each.messages().getFirst();
      Map<String, Integer> counted = message.stepwise() ? inMixture : known;
      if (counted.merge(use.toString(), 1, Integer::sum) > message.copies()) {
        throw new Violation(
            getClass(),
            mixture.tick(),
            String.format(
                Locale.ROOT,
                "%s mixes the model of %s of round %d again in round %d",
                peer,
                use.owner(),
                use.round(),
                round));
      }
    }
  }
}
