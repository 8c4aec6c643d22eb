package io.kindred.methods;

import io.kindred.core.PeerId;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.StreamKey;
import io.kindred.core.settings.Setting;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.DataView;
import io.kindred.core.work.Objective;
import io.kindred.core.work.Optimizer;
import io.kindred.core.work.Ticket;

/** How peers train locally: the same for every method of a comparison. */
public record Training(
    @Setting(doc = "local epochs in a round", fallback = "1", min = 1) int epochs,
    @Setting(doc = "samples in a step; 0 takes all at once", fallback = "32", min = 0) int batch,
    @Setting(doc = "step size", fallback = "0.05", above = 0) double learningRate,
    @Setting(doc = "share of the last step that is kept", fallback = "0", min = 0, max = 0.9999)
        double momentum,
    @Setting(doc = "pull of the weights towards zero", fallback = "0", min = 0)
        double weightDecay) {
  /** A ticket for one round of plain training on the peer's own data. */
  public Ticket.Train round(Weights from, PeerId peer, int round) {
    return round(from, Objective.plain(), DataView.own(DataView.Split.TRAIN), peer, round);
  }

  public Ticket.Train round(
      Weights from, Objective objective, DataView view, PeerId peer, int round) {
    return new Ticket.Train(
        from,
        objective,
        view,
        new Optimizer(learningRate, momentum, weightDecay),
        batch,
        new Ticket.Duration.Epochs(epochs),
        new StreamKey(Purpose.BATCHES, peer.number(), round));
  }

  public Training withMomentum(double other) {
    return new Training(epochs, batch, learningRate, other, weightDecay);
  }

  public Training withEpochs(int count) {
    return new Training(count, batch, learningRate, momentum, weightDecay);
  }
}
