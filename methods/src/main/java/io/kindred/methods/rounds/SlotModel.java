package io.kindred.methods.rounds;

import io.kindred.core.peer.Claim;
import io.kindred.core.weights.Weights;

/**
 * A model in an update.
 *
 * @param slot which of the sender's models it is: its cluster or component, 0 where there is one
 * @param share its weight in a weighted mean, such as a number of samples
 */
public record SlotModel(int slot, Weights weights, @Claim(Claim.Kind.SAMPLES) double share) {}
