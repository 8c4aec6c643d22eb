package io.kindred.learning.engine;

import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.Objective.Term;
import java.util.List;

/** Gradients of what an objective adds to the loss, element by element on flat vectors. */
final class ObjectiveTerms {
  private float[] travelled = {};
  private float[] wanted = {};

  /** Adds the terms' gradients at the weights to a gradient. */
  void add(List<Term> terms, Layout layout, float[] weights, float[] gradient) {
    for (Term term : terms) {
      switch (term) {
        case Term.Proximal(Weights anchor, double mu) ->
            addProximal(anchor.shared(), (float) mu, weights, gradient);
        case Term.Cosine cosine ->
            addCosine(cosine, Spans.of(layout, List.of()), weights, gradient);
      }
    }
  }

  private static void addProximal(float[] anchor, float mu, float[] weights, float[] gradient) {
    for (int i = 0; i < weights.length; i++) {
      gradient[i] = Math.fma(mu, weights[i] - anchor[i], gradient[i]);
    }
  }

  /**
   * With d = w - origin and e = target - origin, the gradient of -lambda cos(d, e) is -lambda (e /
   * (|d| |e|) - cos(d, e) d / |d|^2).
   */
  private void addCosine(Term.Cosine term, Spans trained, float[] weights, float[] gradient) {
    float[] origin = term.origin().shared();
    float[] target = term.target().shared();
    if (travelled.length != weights.length) {
      travelled = new float[weights.length];
      wanted = new float[weights.length];
    }
    for (int i = 0; i < weights.length; i++) {
      travelled[i] = weights[i] - origin[i];
      wanted[i] = target[i] - origin[i];
    }
    double squared = trained.dot(travelled, travelled);
    double norms = Math.sqrt(squared) * trained.norm(wanted);
    if (norms == 0) {
      return;
    }
    double cosine = trained.dot(travelled, wanted) / norms;
    trained.add(-term.lambda() / norms, wanted, gradient);
    trained.add(term.lambda() * cosine / squared, travelled, gradient);
  }
}
