package io.kindred.methods.averaging;

import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingGroup;
import io.kindred.core.peer.PeerId;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.Training;
import io.kindred.methods.mixing.MixingMethod;
import io.kindred.methods.rounds.Aggregation;
import io.kindred.methods.rounds.RoundSettings;

/**
 * Federated averaging (McMahan et al., 2017, algorithm 1): a server sends its model to some peers,
 * each trains it, and the server averages the trained models, weighted by sample counts. With
 * {@code fineTune} a peer deploys the global model after that many epochs on its own data.
 */
@Named(
    value = "fedavg",
    summary = "a server averages what some peers trained; optionally fine-tuned by each peer")
public record FedAvg(
    @Setting(
            doc = "local epochs on the global model before a peer deploys it",
            fallback = "0",
            min = 0,
            tune = "0..5")
        int fineTune,
    @SettingGroup RoundSettings rounds)
    implements MixingMethod {
  @Override
  public Aggregation over() {
    return Aggregation.SERVER;
  }

  @Override
  public Ticket.Train train(PeerContext context, Weights from, int round) {
    return context.training().round(from, context.self(), round);
  }

  @Override
  public Predictor predictorFor(Training training, PeerId peer, Weights mixed, int round) {
    return fineTune == 0
        ? new Predictor.Single(mixed)
        : new Predictor.Adapted(training.withEpochs(fineTune).round(mixed, peer, round));
  }
}
