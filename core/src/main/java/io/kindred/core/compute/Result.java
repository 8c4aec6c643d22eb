package io.kindred.core.compute;

import io.kindred.core.record.AddedLater;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Weights;
import java.util.List;
import java.util.Optional;

/** The result of a ticket. */
public sealed interface Result {
  /**
   * Trained weights.
   *
   * @param loss the mean training loss over the last pass, before each step's update
   * @param samples how many samples the training used, each counting every time
   * @param velocity the velocity after the last step; present if the ticket asks for it
   */
  record Trained(Weights weights, double loss, long samples, @AddedLater Optional<Weights> velocity)
      implements Result {
    /** A result without a velocity. */
    public Trained(Weights weights, double loss, long samples) {
      this(weights, loss, samples, Optional.empty());
    }
  }

  /** One row per mixture: a single mean, or a loss per sample. */
  record Losses(List<Floats> perMixture) implements Result {
    public Losses {
      perMixture = List.copyOf(perMixture);
    }
  }

  /**
   * The outputs of the model, row by row, {@code width} values each: class probabilities or
   * numbers.
   */
  record Outputs(int width, Floats values) implements Result {}

  record Mixed(Weights weights) implements Result {}

  record Answered(PureFunction.Answer answer) implements Result {}
}
