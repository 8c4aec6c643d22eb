package io.kindred.protocol.overlay;

import io.kindred.protocol.signature.QuantileSketch;

/**
 * The similarity that a comparison must reach to pass, on all levels of the overlay and for a whole
 * round (SemanticDFL, section 3.5).
 */
public record Threshold(double value) {
  /**
   * Similarities are sketched as distances from one, in millionths: finest near one, where they
   * concentrate.
   */
  private static final int RESOLUTION = 1_000_000;

  public Threshold {
    if (!(value >= -1 && value <= 1)) {
      throw new IllegalArgumentException("a threshold is a cosine, got " + value);
    }
  }

  /** Passes everything: the start for a peer that has seen no comparison yet. */
  public static final Threshold ACCEPT_ALL = new Threshold(-1);

  /** Adds a comparison to those that {@link #initial} is estimated from. */
  public static QuantileSketch observe(QuantileSketch seen, double similarity) {
    return seen.with((int) Math.rint((1 - Math.clamp(similarity, -1.0, 1.0)) * RESOLUTION));
  }

  /**
   * The similarity that the target share of the comparisons seen so far reaches: their (1 - phi)
   * quantile, less than a 64th of its distance from one too low.
   */
  public static Threshold initial(QuantileSketch seen, ThresholdRule rule) {
    if (seen.count() == 0) {
      return ACCEPT_ALL;
    }
    return clipped(1 - (double) seen.quantile(rule.target()) / RESOLUTION);
  }

  /**
   * The threshold of the next round: higher the more of the scored comparisons passed beyond the
   * target, lower the further the own signature has drifted; {@code similarity} is its cosine to
   * the last round's. A round without comparisons says nothing about the share that passes.
   */
  public Threshold next(long passed, long scored, double similarity, ThresholdRule rule) {
    if (passed < 0 || passed > scored) {
      throw new IllegalArgumentException(passed + " of " + scored + " comparisons passed");
    }
    double surplus = scored == 0 ? 0 : (double) passed / scored - rule.target();
    return clipped(value + rule.step() * surplus - rule.slack() * (1 - similarity));
  }

  /**
   * Whether to relax the threshold and try again: too few distinct candidates, visits left in the
   * budget, and something left to relax.
   */
  public boolean shouldRetry(int found, int wanted, int visitsLeft) {
    return found < wanted && visitsLeft > 0 && value > ACCEPT_ALL.value;
  }

  private static Threshold clipped(double value) {
    return new Threshold(Math.clamp(value, -1.0, 1.0));
  }
}
