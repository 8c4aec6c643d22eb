package io.kindred.methods.rounds;

import io.kindred.core.weights.Weights;

/**
 * A model that is handed over.
 *
 * @param slot which of the sender's models it is: its cluster or component, 0 where there is one
 * @param share what it counts for in a weighted mean, such as a number of samples
 */
public record SlotModel(int slot, Weights weights, double share) {}
