package io.kindred.learning.privacy;

/**
 * An (epsilon, delta) of differential privacy, and the composition of several (Dwork and Roth, The
 * Algorithmic Foundations of Differential Privacy, 2014, section 3.5).
 */
public record PrivacyLoss(double epsilon, double delta) {
  /** Basic composition: losses add up. */
  public PrivacyLoss compose(int count) {
    return new PrivacyLoss(count * epsilon, Math.min(1, count * delta));
  }

  /**
   * Advanced composition (theorem 3.20): smaller than the basic one for many small losses, larger
   * for few or large ones, in return for a further {@code slack} of delta.
   */
  public PrivacyLoss composeAdvanced(int count, double slack) {
    if (!(slack > 0 && slack < 1)) {
      throw new IllegalArgumentException("slack must lie between 0 and 1, got " + slack);
    }
    double composed =
        Math.sqrt(2 * count * StrictMath.log(1 / slack)) * epsilon
            + count * epsilon * StrictMath.expm1(epsilon);
    return new PrivacyLoss(composed, Math.min(1, count * delta + slack));
  }
}
