package io.kindred.methods;

import io.kindred.core.Message;
import io.kindred.core.peer.Layer;
import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.Ticket;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Federated averaging that keeps local training near where it began (Li et al., 2020): every step
 * minimizes the loss plus mu / 2 times the squared distance to the mixed model. Here on a graph, as
 * {@link Dfedavgm} without momentum is federated averaging on one.
 */
@Named(
    value = "fedprox",
    summary = "averaging on a graph whose local training is held near the mixed model")
public record FedProx(
    @Setting(doc = "how strongly training is held", fallback = "0.01", min = 0) double mu,
    @Setting(doc = "how long a peer waits for its neighbours", fallback = "{}") Patience patience,
    @Setting(
            doc = "rounds that a neighbour's model may lag behind and still be mixed",
            fallback = "0",
            min = 0,
            max = 1000)
        int staleness)
    implements Method, GossipRules {
  @Override
  public Ticket.Train train(PeerContext context, Weights from, int round) {
    return GossipRules.heldNear(context, from, mu, round);
  }

  @Override
  public List<Layer<?>> layers(PeerContext context) {
    return Gossip.layers(this, context);
  }

  @Override
  public SortedSet<Ticket.Kind> needs() {
    return new TreeSet<>(List.of(Ticket.Kind.TRAIN, Ticket.Kind.MIX));
  }

  @Override
  public List<Class<? extends Message>> messages() {
    return List.of(Gossip.TrainedModel.class);
  }
}
