package io.kindred.learning.engine;

import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.Result;
import io.kindred.core.work.Ticket;

/**
 * Computes one architecture. An instance owns scratch memory and serves one thread at a time; what
 * it computes depends on its arguments alone, so any instance may do any work.
 */
public interface Engine {
  /** Trains as the ticket says, on these rows, in the order that the stream draws. */
  Result.Trained train(Ticket.Train ticket, Rows rows, RandomStream shuffle);

  /** Cross-entropy of each row, unweighted. */
  float[] losses(Weights weights, Rows rows);

  /** Class probabilities, row by row. */
  float[] outputs(Weights weights, Rows rows);
}
