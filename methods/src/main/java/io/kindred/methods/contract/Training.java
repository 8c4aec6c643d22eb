package io.kindred.methods.contract;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Objective;
import io.kindred.core.compute.Optimizer;
import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.peer.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.StreamKey;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Weights;

/** How peers train locally: the same for every method of a comparison. */
@Buildable
public record Training(
    @Setting(doc = "local epochs in a round", fallback = "1", min = 1) int epochs,
    @Setting(doc = "samples in a step; 0 takes all samples in one step", fallback = "32", min = 0)
        int batch,
    @Setting(doc = "optimizer: `sgd` or `adamw`", fallback = "sgd") Rule optimizer,
    @Setting(doc = "step size", fallback = "0.05", above = 0, max = 100, tune = "0.3x..3x log")
        double learningRate,
    @Setting(
            doc = "momentum of sgd: share of the last step that is kept",
            fallback = "0",
            min = 0,
            max = 0.9999)
        double momentum,
    @Setting(doc = "whether sgd uses Nesterov momentum", fallback = "false") boolean nesterov,
    @Setting(
            doc = "weight decay: strength of the pull of the weights towards zero",
            fallback = "0",
            min = 0)
        double weightDecay,
    @Setting(
            doc = "factor by which the step size changes from one round to the next",
            fallback = "1",
            above = 0,
            max = 1)
        double decay,
    @Setting(
            doc = "largest norm of a gradient; larger gradients are clipped to it; 0 does not clip",
            fallback = "0",
            min = 0)
        double clip) {
  /** Which optimizer. */
  public enum Rule {
    SGD,
    ADAMW
  }

  public Training {
    if (optimizer == Rule.ADAMW && momentum != 0) {
      throw new SettingException(
          "training.momentum",
          "adamw has its own moments and takes no momentum",
          "leave momentum out or choose the optimizer sgd");
    }
  }

  /** Gradient descent with one step size for all rounds. */
  public Training(int epochs, int batch, double learningRate, double momentum, double weightDecay) {
    this(epochs, batch, Rule.SGD, learningRate, momentum, false, weightDecay, 1, 0);
  }

  /** A ticket for one round of plain training on the peer's own data; rounds count from one. */
  public Ticket.Train round(Weights from, PeerId peer, int round) {
    return round(from, Objective.plain(), DataView.own(DataView.Split.TRAIN), peer, round);
  }

  public Ticket.Train round(
      Weights from, Objective objective, DataView view, PeerId peer, int round) {
    return new Ticket.Train(
        from,
        objective,
        view,
        optimizerAt(round),
        batch,
        new Ticket.Duration.Epochs(epochs),
        new StreamKey(Purpose.BATCHES, peer.number(), round));
  }

  /** The optimizer of a round, its step size decayed. */
  public Optimizer optimizerAt(int round) {
    double rate = learningRate * StrictMath.pow(decay, Math.max(0, round - 1));
    return new Optimizer(
        switch (optimizer) {
          case SGD -> new Optimizer.Rule.Sgd(momentum, nesterov);
          case ADAMW -> Optimizer.Rule.AdamW.withDefaults();
        },
        rate,
        weightDecay,
        clip);
  }

  /** With another momentum where the optimizer has one; AdamW stays as it is. */
  public Training withMomentum(double other) {
    return optimizer == Rule.ADAMW ? this : TrainingBuilder.from(this).momentum(other).build();
  }

  public Training withEpochs(int count) {
    return TrainingBuilder.from(this).epochs(count).build();
  }
}
