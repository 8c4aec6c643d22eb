package io.kindred.learning.training;

import io.kindred.core.compute.Predictor;
import io.kindred.core.compute.Result;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.PeerId;

/** Whatever opens the tickets of peers and judges what they deploy. */
public interface Trainer {
  /** The samples that a predictor is judged on. */
  enum TestSet {
    /** The peer's own test part. */
    OWN,
    /** The test set that belongs to nobody, as this peer is judged on it. */
    COMMON
  }

  Result perform(PeerId peer, Ticket ticket);

  EvaluationResult evaluate(PeerId peer, Predictor predictor, TestSet on);
}
