package io.kindred.learning.engine;

import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Weights;
import java.util.List;

/**
 * Computes one architecture: losses, outputs, gradients. An instance owns scratch memory and serves
 * one thread at a time; what it computes depends on its arguments alone, so any instance may do any
 * work. How gradients become new weights is {@link LocalTraining}'s, the same for every engine.
 */
public interface Engine {
  /**
   * Writes the gradient of the weighted mean loss of a batch, and answers the sum of the weighted
   * losses. State without a gradient (running statistics) is brought forward in {@code weights}
   * itself; its places in {@code gradient} are left alone. Whatever is random in training (dropout)
   * comes from {@code noise}.
   */
  double lossAndGradient(float[] weights, Batch batch, float[] gradient, RandomStream noise);

  /** The loss of each row, unweighted: cross-entropy, or the mean squared error of numbers. */
  default float[] losses(Weights weights, SampleRows rows) {
    return losses(List.of(weights), rows).getFirst();
  }

  /** The losses of several models, each to the bit what it has alone; rows are decoded once. */
  List<float[]> losses(List<Weights> models, SampleRows rows);

  /** What the model answers, row by row: class probabilities, or numbers. */
  float[] outputs(Weights weights, SampleRows rows);
}
