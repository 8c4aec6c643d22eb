package io.kindred.methods.robust;

/**
 * A rule by which a peer or a server mixes models that it did not train itself. A rule is a pure
 * function of the models: it neither knows nor remembers who sent them. All rules leave out honest
 * models too, so what a rule makes of a model never accuses its sender: nodes that counted dropped
 * models as offences muted honest nodes (docs/reproduction/hostile.md).
 */
public sealed interface RobustRule
    permits AsPublished,
        NormClip,
        CoordinateMedian,
        TrimmedMean,
        Krum,
        MultiKrum,
        GeometricMedian,
        CosineGate,
        HeldOutGate {
  RobustMixture mix(RobustInput input);

  /**
   * The relative increase of the own held-out loss up to which a mixture is taken; infinite if the
   * rule does not compare losses.
   */
  default double heldOutTolerance() {
    return Double.POSITIVE_INFINITY;
  }

  /** Whether the rule compares losses on samples of the peer that mixes. */
  default boolean needsSamples() {
    return heldOutTolerance() < Double.POSITIVE_INFINITY;
  }

  /** Approximate number of arithmetic operations for so many models of so many weights. */
  default long operations(int models, long weights) {
    return 6L * models * weights;
  }
}
