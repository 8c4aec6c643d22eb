package io.kindred.learning.privacy;

import io.kindred.core.compute.PureFunction;
import io.kindred.core.config.Named;
import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.random.StreamKey;
import io.kindred.core.weights.Weights;

/**
 * A call that clips weights and adds noise before a method sends them. The key must contain the
 * peer and a counter that never repeats: noise that is used twice protects nothing.
 */
@Named("privacy/release-weights")
public record ReleaseWeights(
    Weights weights, GaussianMechanism mechanism, RandomStreams streams, StreamKey key)
    implements PureFunction {
  /** The purpose of the noise's random streams. */
  public static final Purpose PURPOSE = new Purpose("privacy-noise");

  /** Two draws with a logarithm each, and the norm. */
  private static final long OPERATIONS_PER_WEIGHT = 20;

  /** The weights that may be sent. */
  @Named("privacy/released-weights")
  public record Released(Weights weights) implements Answer {}

  @Override
  public Answer apply() {
    return new Released(mechanism.release(weights, streams.stream(key)));
  }

  @Override
  public long operations() {
    return OPERATIONS_PER_WEIGHT * weights.size();
  }
}
