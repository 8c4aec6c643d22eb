package io.kindred.core.compute;

import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Weights;
import java.util.List;

/** The result of a ticket. */
public sealed interface Result {
  /** {@code loss} is the mean training loss over the last pass, before each step's update. */
  record Trained(Weights weights, double loss, long samples) implements Result {}

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
