package io.kindred.learning.engine;

import io.kindred.learning.model.Architecture;

/**
 * One row of a model's scores: what it answers, its loss and how the loss changes with the scores.
 * In doubles and with scalar functions only, so that its bits are stable, and the same for every
 * engine.
 */
public interface ScoreRow {
  static ScoreRow of(Architecture architecture) {
    return switch (architecture.task()) {
      case CLASSIFICATION -> new SoftmaxRow(architecture.outputs());
      case REGRESSION -> new SquaredErrorRow(architecture.outputs());
    };
  }

  /**
   * Reads a row where it stands, its scores {@code every} places apart; valid until they change.
   */
  ScoreRow read(float[] scores, int from, int every);

  /** The loss against what a row of samples wants. */
  double loss(SampleRows rows, int row);

  /** How the last loss changes with one of the scores. */
  double gradient(int output);

  /** Writes what the model answers. */
  void writeOutput(float[] into, int at);
}
