package io.kindred.methods;

import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.Ticket;

/**
 * Decentralized federated averaging with momentum (Sun, Li and Wang, 2023): every peer trains with
 * momentum, sends its model to its neighbours and averages theirs with Metropolis weights, 1 / (1 +
 * larger degree of the two). Without momentum it is federated averaging on a graph.
 */
@Named(
    value = "dfedavgm",
    summary = "gossip on a graph: train with momentum, average with the neighbours")
public record Dfedavgm(
    @Setting(
            doc = "momentum of local training, in place of the general one",
            fallback = "0.9",
            min = 0,
            max = 0.9999)
        double momentum,
    @Setting(doc = "how long a peer waits for its neighbours", fallback = "{}") Patience patience,
    @Setting(
            doc = "rounds that a neighbour's model may lag behind and still be mixed",
            fallback = "0",
            min = 0,
            max = 1000)
        int staleness)
    implements GossipRules {
  @Override
  public Ticket.Train train(PeerContext context, Weights from, int round) {
    return context.training().withMomentum(momentum).round(from, context.self(), round);
  }
}
