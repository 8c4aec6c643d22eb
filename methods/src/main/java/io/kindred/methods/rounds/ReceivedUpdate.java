package io.kindred.methods.rounds;

import io.kindred.core.peer.PeerId;

/** What a neighbour handed over, and how many neighbours it has itself. */
public record ReceivedUpdate(PeerId from, int degree, ModelUpdate update) {}
