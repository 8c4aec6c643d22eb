package io.kindred.protocol.overlay;

import io.kindred.core.config.Setting;

/**
 * How the threshold of a search adapts to the share of comparisons that pass (SemanticDFL, section
 * 3.5).
 */
public record ThresholdRule(
    @Setting(
            doc = "share of the compared children that should pass the threshold",
            fallback = "0.3",
            above = 0,
            max = 0.999)
        double target,
    @Setting(
            doc =
                "step by which the threshold follows the difference between the passed and the"
                    + " target share in a round",
            fallback = "0.05",
            above = 0,
            max = 1)
        double step,
    @Setting(
            doc = "how much a change of the peer's own signature lowers the threshold",
            fallback = "0.1",
            min = 0,
            max = 1)
        double slack,
    @Setting(
            doc = "how much the threshold is lowered for a search that found too few peers",
            fallback = "0.02",
            above = 0,
            max = 2)
        double relaxation) {
  public static final ThresholdRule DEFAULT = new ThresholdRule(0.3, 0.05, 0.1, 0.02);
}
