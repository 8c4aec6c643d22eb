package io.kindred.methods.discovery;

import io.kindred.core.compute.PureFunction;
import io.kindred.core.config.Named;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.discovery.Sketch;
import io.kindred.protocol.discovery.SketchRule;

/**
 * Sketches the peer's own model, exactly as the peer sends it.
 *
 * @param start the common initial weights
 * @param before the weights before the last local training
 */
@Named("semantic/sketch-model")
public record SketchModel(SketchRule rule, Weights weights, Weights start, Weights before)
    implements PureFunction {
  /** A difference, a random sign and a sum for each weight. */
  static final long OPERATIONS_PER_ENTRY = 3;

  /** The sketch of a model. */
  @Named("semantic/model-sketch")
  public record ModelSketch(Sketch sketch) implements Answer {}

  @Override
  public Answer apply() {
    return new ModelSketch(rule.sketch(weights, start, before));
  }

  @Override
  public long operations() {
    return OPERATIONS_PER_ENTRY * weights.size();
  }
}
