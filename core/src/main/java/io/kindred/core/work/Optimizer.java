package io.kindred.core.work;

import io.kindred.core.settings.Setting;

/**
 * Stochastic gradient descent: v = momentum v + g + weightDecay w; w = w - learningRate v, v
 * starting at zero.
 */
public record Optimizer(
    @Setting(doc = "step size", fallback = "0.05", above = 0) double learningRate,
    @Setting(doc = "share of the last step that is kept", fallback = "0", min = 0, max = 0.9999)
        double momentum,
    @Setting(doc = "pull of the weights towards zero", fallback = "0", min = 0)
        double weightDecay) {}
