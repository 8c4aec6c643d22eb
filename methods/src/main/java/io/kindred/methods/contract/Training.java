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
            doc = "factor by which the step size changes every `decayEvery` rounds",
            fallback = "1",
            above = 0,
            max = 1)
        double decay,
    @Setting(
            doc = "rounds after which the step size changes by the factor `decay`",
            fallback = "1",
            min = 1)
        int decayEvery,
    @Setting(
            doc = "largest norm of a gradient; larger gradients are clipped to it; 0 does not clip",
            fallback = "0",
            min = 0)
        double clip,
    @Setting(
            doc =
                "whether training pictures are changed at random in every batch: shifted by up to"
                    + " 4 pixels and mirrored left to right",
            fallback = "false")
        boolean augment,
    @Setting(
            doc =
                "velocity of sgd with momentum: `reset` starts every training at velocity zero;"
                    + " `keep` starts it with the velocity that the last training of the same"
                    + " model on this peer ended with, also if the model was mixed or replaced"
                    + " in between. `keep` takes the memory of one more model for each model"
                    + " that a peer trains. The method kin has its own setting `momentum` instead",
            fallback = "reset")
        Velocity velocity) {
  /** Which optimizer. */
  public enum Rule {
    SGD,
    ADAMW
  }

  /** What happens to the velocity of SGD between two trainings of a model. */
  public enum Velocity {
    RESET,
    KEEP
  }

  public Training {
    if (optimizer == Rule.ADAMW && velocity == Velocity.KEEP) {
      throw new SettingException(
          "training.velocity",
          "adamw has moments instead of a velocity, and they start at zero with each training",
          "leave velocity out or choose the optimizer sgd");
    }
    if (optimizer == Rule.ADAMW && momentum != 0) {
      throw new SettingException(
          "training.momentum",
          "adamw has its own moments and takes no momentum",
          "leave momentum out or choose the optimizer sgd");
    }
  }

  /** Gradient descent with one step size for all rounds. */
  public Training(int epochs, int batch, double learningRate, double momentum, double weightDecay) {
    this(
        epochs,
        batch,
        Rule.SGD,
        learningRate,
        momentum,
        false,
        weightDecay,
        1,
        1,
        0,
        false,
        Velocity.RESET);
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
    int decays = Math.max(0, round - 1) / decayEvery;
    double rate = learningRate * StrictMath.pow(decay, decays);
    return new Optimizer(
        switch (optimizer) {
          case SGD -> new Optimizer.Rule.Sgd(momentum, nesterov);
          case ADAMW -> Optimizer.Rule.AdamW.withDefaults();
        },
        rate,
        weightDecay,
        clip);
  }

  /**
   * The product of learning rate and curvature above which steps on a quadratic term diverge;
   * infinite where no step can diverge, because the optimizer bounds its length. Plain descent on
   * (c / 2) |w|^2 multiplies w by 1 - rate c, so its limit is 2. Momentum m raises the limit to 2
   * (1 + m); Nesterov momentum lowers it to 2 (1 + m) / (1 + 2 m). The limits follow from the
   * eigenvalues of one step on the weights and the velocity.
   */
  public double stabilityLimit() {
    if (optimizer == Rule.ADAMW || clip > 0) {
      return Double.POSITIVE_INFINITY;
    }
    return 2 * (1 + momentum) / (nesterov ? 1 + 2 * momentum : 1);
  }

  /** With another momentum where the optimizer has one; AdamW stays as it is. */
  public Training withMomentum(double other) {
    return optimizer == Rule.ADAMW ? this : TrainingBuilder.from(this).momentum(other).build();
  }

  /** With the same step size in all rounds. */
  public Training withConstantRate(double rate) {
    return TrainingBuilder.from(this).learningRate(rate).decay(1).build();
  }

  public Training withEpochs(int count) {
    return TrainingBuilder.from(this).epochs(count).build();
  }
}
