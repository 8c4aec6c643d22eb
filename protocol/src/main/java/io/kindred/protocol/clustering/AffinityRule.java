package io.kindred.protocol.clustering;

import io.kindred.core.config.Setting;

/** How affinity propagation damps its messages, and when it stops. */
public record AffinityRule(
    @Setting(
            doc = "damping: share of its last value that a message keeps",
            fallback = "0.7",
            min = 0.5,
            max = 0.99)
        double damping,
    @Setting(doc = "largest number of iterations", fallback = "200", min = 1) int iterations,
    @Setting(
            doc = "iterations without a change after which the clusters count as converged",
            fallback = "15",
            min = 1)
        int convergenceIterations) {
  public static final AffinityRule DEFAULT = new AffinityRule(0.7, 200, 15);
}
