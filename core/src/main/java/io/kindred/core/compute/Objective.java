package io.kindred.core.compute;

import io.kindred.core.weights.Weights;
import java.util.ArrayList;
import java.util.List;

/**
 * What training minimizes: the mean loss over the view plus some terms, as a function of the layers
 * that are named.
 *
 * @param terms what is added to the loss, in every step
 * @param lookahead step size a of first-order meta-learning (Fallah, Mokhtari and Ozdaglar, 2020,
 *     Per-FedAvg): each step takes two batches and descends along the gradient of the second one at
 *     u = w - a g(w; first batch); zero is ordinary training
 * @param layers the layers or blocks that are trained, such as {@code output} or {@code
 *     output.bias}; the others, their running statistics included, stay as they are, bit by bit. No
 *     names train everything
 */
public record Objective(List<Term> terms, double lookahead, List<String> layers) {
  /** Something added to the loss. */
  public sealed interface Term {
    /** (mu / 2) times the squared distance to an anchor; several of them may pull at once. */
    record Proximal(Weights anchor, double mu) implements Term {}

    /**
     * Minus lambda times the cosine between w - origin and target - origin, over the weights that
     * have a gradient. Its gradient grows like one over the distance from the origin, and counts as
     * zero at the origin itself, where it has none; clipping tames the first steps.
     */
    record Cosine(Weights origin, Weights target, double lambda) implements Term {}
  }

  public Objective {
    terms = List.copyOf(terms);
    layers = List.copyOf(layers);
  }

  /** An objective over all layers, without lookahead. */
  public Objective(List<Term> terms) {
    this(terms, 0, List.of());
  }

  public static Objective plain() {
    return new Objective(List.of());
  }

  public Objective plus(Term term) {
    List<Term> more = new ArrayList<>(terms);
    more.add(term);
    return new Objective(more, lookahead, layers);
  }

  public Objective withLookahead(double step) {
    return new Objective(terms, step, layers);
  }

  public Objective onlyLayers(List<String> names) {
    return new Objective(terms, lookahead, names);
  }
}
