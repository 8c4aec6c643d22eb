package io.kindred.core.weights;

/** One weight vector and how much of it goes into a mixture. */
public record MixturePart(Weights weights, double coefficient) {}
