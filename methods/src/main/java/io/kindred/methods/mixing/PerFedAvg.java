package io.kindred.methods.mixing;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.StreamKey;
import io.kindred.core.settings.Named;
import io.kindred.core.settings.Setting;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.DataView;
import io.kindred.core.work.Objective;
import io.kindred.core.work.Optimizer;
import io.kindred.core.work.Predictor;
import io.kindred.core.work.Ticket;
import io.kindred.methods.Patience;
import io.kindred.methods.PeerContext;
import io.kindred.methods.rounds.Over;

/**
 * Personalized federated averaging (Fallah, Mokhtari and Ozdaglar, 2020), first order: peers look
 * for a common model that is good after one step on their own data, and deploy it after that step.
 */
@Named(
    value = "per-fedavg",
    summary =
        "averaging, by a server or on a graph, of models that are good after one step on one's own data")
public record PerFedAvg(
    @Setting(doc = "size of the step that adapts the common model", fallback = "0.01", above = 0)
        double step,
    @Setting(doc = "who averages: a server, or the neighbours on a graph", fallback = "graph")
        Over over,
    @Setting(doc = "how long others are waited for", fallback = "{}") Patience patience,
    @Setting(
            doc = "rounds that a neighbour's model may lag behind and still be mixed",
            fallback = "0",
            min = 0,
            max = 1000)
        int staleness)
    implements MixingRules {
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
  public Predictor deployed(PeerContext context, Weights mixed, int round) {
    return new Predictor.Adapted(
        new Ticket.Train(
            mixed,
            Objective.plain(),
            DataView.own(DataView.Split.TRAIN),
            new Optimizer(step, 0, 0),
            context.training().batch(),
            new Ticket.Duration.Steps(1),
            new StreamKey(Purpose.BATCHES, context.self().number(), round)));
  }
}
