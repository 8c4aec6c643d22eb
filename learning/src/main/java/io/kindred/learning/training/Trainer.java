package io.kindred.learning.training;

import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.PeerId;

/** Executes the tickets of peers and evaluates their predictors. */
public interface Trainer {
  /** The samples that a predictor is evaluated on. */
  enum TestSet {
    /** The peer's own test part. */
    OWN,
    /** The common test set, in the version for this peer. */
    COMMON,
    /**
     * Test samples with the trigger of a back door: the accuracy is the success of the back door.
     */
    TRIGGERED
  }

  Result perform(PeerId peer, Ticket ticket);

  EvaluationResult evaluate(PeerId peer, Predictor predictor, TestSet on);
}
