package io.kindred.protocol.overlay;

import io.kindred.core.config.Setting;

/**
 * How the threshold of a search adapts to the share of comparisons that pass (SemanticDFL, section
 * 3.5).
 */
public record ThresholdRule(
    @Setting(
            doc = "share of the scored children that shall pass",
            fallback = "0.3",
            above = 0,
            max = 0.999)
        double target,
    @Setting(
            doc = "how far a round's surplus of passed children raises the threshold",
            fallback = "0.05",
            above = 0,
            max = 1)
        double step,
    @Setting(
            doc = "how far a turn of the own signature lowers it",
            fallback = "0.1",
            min = 0,
            max = 1)
        double slack,
    @Setting(
            doc = "how far it is lowered for a search that found too few",
            fallback = "0.02",
            above = 0,
            max = 2)
        double relaxation) {
  public static final ThresholdRule DEFAULT = new ThresholdRule(0.3, 0.05, 0.1, 0.02);
}
