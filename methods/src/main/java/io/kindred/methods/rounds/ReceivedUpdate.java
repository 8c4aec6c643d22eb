package io.kindred.methods.rounds;

import io.kindred.core.peer.PeerId;

/** A neighbour's update, and the number of that neighbour's own neighbours. */
public record ReceivedUpdate(PeerId from, int degree, ModelUpdate update) {}
