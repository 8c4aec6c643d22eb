package io.kindred.core.work;

/**
 * Stochastic gradient descent: v = momentum v + g + weightDecay w; w = w - learningRate v, v
 * starting at zero.
 */
public record Optimizer(double learningRate, double momentum, double weightDecay) {}
