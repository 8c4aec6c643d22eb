package io.kindred.methods.discovery;

import io.kindred.core.compute.PureFunction;
import io.kindred.core.config.Named;
import io.kindred.core.weights.VectorKernels;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.discovery.Sketch;
import io.kindred.protocol.discovery.SketchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Compares models that are at hand with the own model: the exact cosines of their changes since the
 * common start, and the sketches that their owners should have advertised.
 *
 * @param start the common initial weights
 * @param rule how models are sketched; empty if no sketch is needed
 */
@Named("semantic/compare-models")
public record CompareModels(
    Weights own, List<Weights> models, Weights start, Optional<SketchRule> rule)
    implements PureFunction {
  /** A difference, a product with the own change, and a square for each weight. */
  private static final long OPERATIONS_PER_ENTRY = 5;

  /**
   * A cosine for each model, and a sketch for each model if sketches are needed.
   *
   * @param cosines empty for a model with weights so large that it cannot be compared
   * @param sketches in the order of the models; empty if no sketch is needed
   */
  @Named("semantic/comparisons")
  public record Comparisons(List<Optional<Double>> cosines, List<Sketch> sketches)
      implements Answer {
    public Comparisons {
      cosines = List.copyOf(cosines);
      sketches = List.copyOf(sketches);
    }
  }

  public CompareModels {
    models = List.copyOf(models);
  }

  @Override
  public Comparisons apply() {
    Weights ownChange = VectorKernels.minus(own, start);
    List<Optional<Double>> cosines = new ArrayList<>();
    List<Sketch> sketches = new ArrayList<>();
    for (Weights model : models) {
      Weights change = VectorKernels.minus(model, start);
      // Other peers choose their weights: a square may exceed the range of a float.
      boolean comparable = Float.isFinite(VectorKernels.dot(change, change));
      Optional<Double> cosine =
          Optional.of(VectorKernels.cosine(ownChange, change)).filter(Double::isFinite);
      cosines.add(comparable ? cosine : Optional.empty());
      // No owner advertises the sketch of an unchanged model, which contradicts every claim.
      Weights sketched = comparable ? model : start;
      rule.ifPresent(known -> sketches.add(known.sketch(sketched, start, start)));
    }
    return new Comparisons(cosines, sketches);
  }

  @Override
  public long operations() {
    long each = OPERATIONS_PER_ENTRY + (rule.isPresent() ? SketchModel.OPERATIONS_PER_ENTRY : 0);
    return (each * models.size() + OPERATIONS_PER_ENTRY) * start.size();
  }
}
