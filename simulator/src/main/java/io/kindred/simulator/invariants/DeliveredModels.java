package io.kindred.simulator.invariants;

import io.kindred.core.peer.Event;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.core.weights.Digest;
import io.kindred.core.weights.Weights;
import io.kindred.methods.hfl.HflMessage;
import io.kindred.methods.kin.KinMessage;
import io.kindred.methods.pull.PullMachine;
import io.kindred.methods.rounds.ModelUpdate;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import io.kindred.methods.rounds.PartnerUpdate;
import io.kindred.methods.rounds.ServerMessage.ClientUpdate;
import io.kindred.methods.rounds.SlotModel;
import io.kindred.simulator.StepListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The models that messages have brought to each peer, to be mixed. Models that a peer adopts, such
 * as those of a server, are none of them.
 */
final class DeliveredModels implements StepListener {
  /**
   * One model of a message.
   *
   * @param from the sender
   * @param stepwise whether the sender sends further models in the same round, perhaps equal ones
   * @param copies how many models of the message have these weights
   * @param share the weight that the sender declares, zero if it declares none
   * @param degree number of the sender's neighbours, zero if it declares none
   */
  record Delivered(PeerId from, boolean stepwise, int round, int copies, double share, int degree) {
    boolean isOf(PeerId owner, int modelRound) {
      return round == modelRound && from.equals(owner);
    }
  }

  private final Map<PeerId, Map<Digest, List<Delivered>>> delivered = new TreeMap<>();

  @Override
  public void stepped(long tick, PeerId peer, Event event, PeerStep step) {
    if (event instanceof Event.Received(long _, PeerId from, Message message)) {
      received(peer, from, message);
    }
  }

  private void received(PeerId peer, PeerId from, Message message) {
    switch (message) {
      case NeighbourUpdate(int round, int degree, ModelUpdate update, boolean _, int _) ->
          add(peer, from, round, degree, update);
      case PartnerUpdate(int round, long _, ModelUpdate update, boolean _, int _) ->
          add(peer, from, round, 0, update);
      case ClientUpdate(int round, ModelUpdate update, int _) -> add(peer, from, round, 0, update);
      case PullMachine.ModelReply reply ->
          add(
              peer,
              reply.weights(),
              new Delivered(from, false, reply.round(), 1, reply.samples(), 0));
      case KinMessage.ModelReply reply ->
          reply
              .weights()
              .ifPresent(
                  weights ->
                      add(
                          peer,
                          weights,
                          new Delivered(from, false, reply.round(), 1, reply.samples(), 0)));
      case HflMessage.Update update -> add(peer, from, update, update.weights());
      case HflMessage.Outcome outcome -> add(peer, from, outcome, outcome.weights());
      case HflMessage.RegionUpdate update -> add(peer, from, update, update.average().weights());
      case HflMessage.RegionOutcome outcome -> add(peer, from, outcome, outcome.weights());
      default -> {}
    }
  }

  private void add(PeerId peer, PeerId from, int round, int degree, ModelUpdate update) {
    for (SlotModel model : update.models()) {
      Digest digest = model.weights().digest();
      int copies =
          (int)
              update.models().stream()
                  .filter(each -> each.weights().digest().equals(digest))
                  .count();
      add(peer, model.weights(), new Delivered(from, false, round, copies, model.share(), degree));
    }
  }

  private void add(PeerId peer, PeerId from, HflMessage message, Weights weights) {
    add(peer, weights, new Delivered(from, true, message.roundAttempt().round(), 1, 0, 0));
  }

  private void add(PeerId peer, Weights weights, Delivered model) {
    List<Delivered> known =
        delivered
            .computeIfAbsent(peer, unseen -> new TreeMap<>())
            .computeIfAbsent(weights.digest(), unseen -> new ArrayList<>());
    if (!known.contains(model)) {
      known.add(model);
    }
  }

  /** What messages have brought to a peer with these weights. */
  List<Delivered> of(PeerId peer, Digest weights) {
    return delivered.getOrDefault(peer, Map.of()).getOrDefault(weights, List.of());
  }
}
