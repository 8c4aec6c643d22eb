package io.kindred.methods.mixing;

import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingGroup;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.rounds.Aggregation;
import io.kindred.methods.rounds.GraphWeights;
import io.kindred.methods.rounds.RoundSettings;

/**
 * Federated averaging that keeps local training near where it began (Li et al., 2020): every step
 * minimizes the loss plus mu / 2 times the squared distance to the mixed model. On a graph it
 * extends {@code dfedavgm} without momentum, with a server {@code fedavg}.
 */
@Named(
    value = "fedprox",
    summary =
        "federated averaging, by a server or on a graph, with local training held near"
            + " the averaged model")
public record FedProx(
    @Setting(
            doc = "strength of the pull of training towards the averaged model",
            fallback = "0.01",
            min = 0,
            tune = "0.001..1 log")
        double mu,
    @Setting(
            doc = "where models are averaged: `server`, or `graph` for the neighbours",
            fallback = "graph")
        Aggregation over,
    @Setting(
            doc =
                "how models are weighted on a graph: `metropolis` by the peers' numbers of"
                    + " neighbours, or `samples` by their numbers of training samples",
            fallback = "metropolis")
        GraphWeights weights,
    @SettingGroup RoundSettings rounds)
    implements MixingMethod {
  @Override
  public Ticket.Train train(PeerContext context, Weights from, int round) {
    return MixingMethod.proximalTraining(context, from, mu, round);
  }
}
