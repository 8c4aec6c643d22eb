package io.kindred.learning.engine;

import io.kindred.learning.model.Architecture;

/**
 * One row of a model's scores: its output, its loss and the gradient of the loss along the scores.
 * Computed in doubles and with scalar functions only, so that its bits are stable and the same for
 * every engine.
 */
public interface ScoreRow {
  static ScoreRow of(Architecture architecture) {
    return switch (architecture.task()) {
      case CLASSIFICATION -> new SoftmaxRow(architecture.outputs());
      case REGRESSION -> new SquaredErrorRow(architecture.outputs());
    };
  }

  /** Refers to a row in place, its scores {@code every} elements apart; valid until they change. */
  ScoreRow read(float[] scores, int from, int every);

  /** The loss against the label or targets of a row of samples. */
  double loss(SampleRows rows, int row);

  /** The derivative of the last loss by one of the scores. */
  double gradient(int output);

  /** Writes the model's output. */
  void writeOutput(float[] into, int at);
}
