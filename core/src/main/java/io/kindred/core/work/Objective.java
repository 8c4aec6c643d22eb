package io.kindred.core.work;

import io.kindred.core.weights.Weights;
import java.util.List;

/** What training minimizes: the mean loss over the view plus these terms. */
public record Objective(List<Term> terms) {
  /** Something added to the loss. */
  public sealed interface Term {
    /** (mu / 2) times the squared distance to an anchor, in every step. */
    record Proximal(Weights anchor, double mu) implements Term {}
  }

  public Objective {
    terms = List.copyOf(terms);
  }

  public static Objective plain() {
    return new Objective(List.of());
  }
}
