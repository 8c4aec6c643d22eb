package io.kindred.methods.clustered;

import io.kindred.core.compute.Ticket;
import io.kindred.core.config.Setting;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import io.kindred.methods.contract.Training;

/**
 * The step size of the personal training at the end of FedSPD. The paper gives the number of epochs
 * (section 4, final step) but no step size. The phase is one ticket for each step size, and the
 * optimizer's momentum starts at zero in each ticket unless {@code training.velocity} is {@code
 * keep}.
 */
public record FinalPhase(
    @Setting(
            doc =
                "step size of the final, personal training; 0 continues with the decayed step size"
                    + " of the rounds",
            fallback = "0",
            min = 0,
            max = 100)
        double learningRate,
    @Setting(
            doc = "factor by which this step size changes every `decayEvery` epochs",
            fallback = "1",
            above = 0,
            max = 1)
        double decay,
    @Setting(
            doc = "epochs after which this step size changes by the factor `decay`",
            fallback = "1",
            min = 1)
        int decayEvery) {
  /** All epochs with the decayed step size of the rounds. */
  public static FinalPhase asInRounds() {
    return new FinalPhase(0, 1, 1);
  }

  /** How many of the remaining epochs have the same step size. */
  int nextEpochs(int remaining) {
    return decay == 1 ? remaining : Math.min(decayEvery, remaining);
  }

  /**
   * The next part of the training, all of it with one step size.
   *
   * @param done epochs that are trained already
   */
  Ticket.Train next(PeerContext context, Training training, Weights from, int epochs, int done) {
    int part = done / decayEvery;
    int afterRounds = context.rounds() + 1;
    double first =
        learningRate > 0 ? learningRate : training.optimizerAt(afterRounds).learningRate();
    return training
        .withConstantRate(first * StrictMath.pow(decay, part))
        .withEpochs(nextEpochs(epochs - done))
        .round(from, context.self(), afterRounds + part);
  }
}
