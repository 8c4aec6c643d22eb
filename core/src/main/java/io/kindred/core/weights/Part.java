package io.kindred.core.weights;

/** One weight vector and how much of it goes into a mixture. */
public record Part(Weights weights, double coefficient) {}
