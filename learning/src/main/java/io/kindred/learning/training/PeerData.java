package io.kindred.learning.training;

import io.kindred.core.weights.Ints;
import io.kindred.core.work.DataView.Split;

/** Which samples of the shared training table are one peer's, by part. */
public record PeerData(Ints train, Ints validation, Ints test) {
  public Ints part(Split split) {
    return switch (split) {
      case TRAIN -> train;
      case VALIDATION -> validation;
      case TEST -> test;
    };
  }
}
