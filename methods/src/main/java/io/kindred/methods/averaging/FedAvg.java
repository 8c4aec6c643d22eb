package io.kindred.methods.averaging;

import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.config.SettingGroup;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerLayer;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.Training;
import io.kindred.methods.mixing.MixingMethod;
import io.kindred.methods.rounds.Aggregation;
import io.kindred.methods.rounds.RoundSettings;
import java.util.ArrayList;
import java.util.List;

/**
 * Federated averaging (McMahan et al., 2017, algorithm 1): a server sends its model to some peers,
 * each trains it, and the server averages the trained models, weighted by sample counts. With
 * {@code fineTune} a peer deploys the global model after that many epochs on its own data. With
 * averaged velocities the clients also send their velocities, and the server averages them with the
 * same shares.
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
    @Setting(
            doc =
                "velocities of the clients when `training.velocity` is `keep`: with `own` every"
                    + " client keeps its own; with `averaged` clients send weights and velocity,"
                    + " and the server averages both and sends both back, which doubles the"
                    + " traffic",
            fallback = "own")
        Velocities velocities,
    @SettingGroup RoundSettings rounds)
    implements MixingMethod {
  /** The velocity that a client starts a round with. */
  public enum Velocities {
    /** The velocity of its own last training, or zero if velocities are not kept. */
    OWN,
    /** The mean of the velocities that the clients of the last round sent. */
    AVERAGED
  }

  /** Clients do not share velocities. */
  public FedAvg(int fineTune, RoundSettings rounds) {
    this(fineTune, Velocities.OWN, rounds);
  }

  /** Refuses to average velocities that do not exist, or that the settings reset. */
  @Override
  public void check(int peers, Training training) {
    check(peers);
    if (velocities == Velocities.OWN) {
      return;
    }
    if (training.velocity() == Training.Velocity.RESET) {
      throw new SettingException(
          "method.velocities",
          "training.velocity is reset, so that no averaged velocity would last until the next round",
          "set training.velocity to keep, or leave method.velocities out");
    }
    if (training.momentum() == 0) {
      throw new SettingException(
          "method.velocities",
          "training.momentum is 0, so that a velocity has no effect on the next step",
          "set training.momentum above 0, or leave method.velocities out");
    }
  }

  @Override
  public List<PeerLayer<?>> layers(PeerContext context) {
    return switch (velocities) {
      case OWN -> MixingMethod.super.layers(context);
      case AVERAGED -> over().layers(new AveragedVelocities(this, context), rounds, 0);
    };
  }

  @Override
  public List<Class<?>> otherRecords() {
    List<Class<?>> records = new ArrayList<>(MixingMethod.super.otherRecords());
    records.add(AveragedVelocities.MovingModel.class);
    return records;
  }

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
