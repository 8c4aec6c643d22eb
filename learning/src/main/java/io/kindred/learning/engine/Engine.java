package io.kindred.learning.engine;

import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Weights;
import java.util.List;

/**
 * Computes one architecture: losses, outputs, gradients. An instance owns scratch memory and serves
 * one thread at a time. Its results depend on the arguments alone, so any instance may do any work.
 * {@link LocalTraining} applies gradients to weights, in the same way for every engine.
 */
public interface Engine {
  /**
   * Writes the gradient of the mean loss of a batch, which is the sum of the weighted losses
   * divided by the number of samples, and returns that sum. State without a gradient (running
   * statistics) is updated in {@code weights} itself; its entries in {@code gradient} are not
   * written. All randomness in training (dropout) comes from {@code noise}.
   */
  double lossAndGradient(float[] weights, Batch batch, float[] gradient, RandomStream noise);

  /** The loss of each row, unweighted: cross-entropy, or the mean squared error of a regression. */
  default float[] losses(Weights weights, SampleRows rows) {
    return losses(List.of(weights), rows).getFirst();
  }

  /** The losses of several models, bit for bit the same as each alone; rows are decoded once. */
  List<float[]> losses(List<Weights> models, SampleRows rows);

  /** The model's outputs, row by row: class probabilities, or regression values. */
  float[] outputs(Weights weights, SampleRows rows);
}
