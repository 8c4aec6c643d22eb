package io.kindred.protocol.clusters;

import io.kindred.core.PeerId;

/** A zone: who started it, in which epoch, on which level of the hierarchy (one is the lowest). */
public record ZoneId(long epoch, int level, PeerId initiator) {}
