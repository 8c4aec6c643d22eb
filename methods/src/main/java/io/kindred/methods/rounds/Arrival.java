package io.kindred.methods.rounds;

import io.kindred.core.PeerId;

/** What a neighbour handed over, and how many neighbours it has itself. */
public record Arrival(PeerId from, int degree, Parcel parcel) {}
