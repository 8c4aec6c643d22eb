package io.kindred.methods.mixing;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingGroup;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.StreamKey;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.Training;
import io.kindred.methods.rounds.Aggregation;
import io.kindred.methods.rounds.GraphWeights;
import io.kindred.methods.rounds.RoundSettings;

/**
 * Personalized federated averaging (Fallah, Mokhtari and Ozdaglar, 2020), first order: peers look
 * for a common model that is good after one step on their own data, and deploy it after that step.
 */
@Named(
    value = "per-fedavg",
    summary =
        "averaging, by a server or on a graph, of models that are good after one step on"
            + " a peer's own data")
public record PerFedAvg(
    @Setting(
            doc = "size of the step that adapts the common model",
            fallback = "0.01",
            above = 0,
            max = 100,
            tune = "0.001..0.1 log")
        double step,
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
    return context
        .training()
        .round(
            from,
            Objective.plain().withLookahead(step),
            DataView.own(DataView.Split.TRAIN),
            context.self(),
            round);
  }

  @Override
  public Predictor predictorFor(Training training, PeerId peer, Weights mixed, int round) {
    return new Predictor.Adapted(
        new Ticket.Train(
            mixed,
            Objective.plain(),
            DataView.own(DataView.Split.TRAIN),
            new Optimizer(step, 0, 0),
            training.batch(),
            new Ticket.Duration.Steps(1),
            new StreamKey(Purpose.BATCHES, peer.number(), round)));
  }
}
