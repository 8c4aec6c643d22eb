package io.kindred.learning.engine;

import io.kindred.core.compute.Objective.Term;
import io.kindred.core.weights.Layout;
import io.kindred.core.weights.Weights;
import java.util.List;

/**
 * Gradients of the terms that an objective adds to the loss, element by element on flat vectors.
 */
final class ObjectiveTerms {
  private float[] displacement = {};
  private float[] targetDisplacement = {};

  /** Adds the terms' gradients at the weights to a gradient. */
  void add(List<Term> terms, Layout layout, float[] weights, float[] gradient) {
    for (Term term : terms) {
      switch (term) {
        case Term.Proximal(Weights anchor, double mu) ->
            addProximal(anchor.shared(), (float) mu, weights, gradient);
        case Term.Cosine cosine ->
            addCosine(cosine, ParameterRanges.of(layout, List.of()), weights, gradient);
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
  private void addCosine(
      Term.Cosine term, ParameterRanges trained, float[] weights, float[] gradient) {
    float[] origin = term.origin().shared();
    float[] target = term.target().shared();
    if (displacement.length != weights.length) {
      displacement = new float[weights.length];
      targetDisplacement = new float[weights.length];
    }
    for (int i = 0; i < weights.length; i++) {
      displacement[i] = weights[i] - origin[i];
      targetDisplacement[i] = target[i] - origin[i];
    }
    double squared = trained.dot(displacement, displacement);
    double norms = Math.sqrt(squared) * trained.norm(targetDisplacement);
    if (norms == 0) {
      return;
    }
    double cosine = trained.dot(displacement, targetDisplacement) / norms;
    trained.addScaled(-term.lambda() / norms, targetDisplacement, gradient);
    trained.addScaled(term.lambda() * cosine / squared, displacement, gradient);
  }
}
