package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ZoneId;

/**
 * The top of a hierarchy: the zone that called itself the last, and who leads it in which term. Two
 * parts of a network that was split go on with the same zones, but soon with different leaders; by
 * this they know, when they meet again, that there are two of them.
 */
record RootId(ZoneId zone, long term, PeerId leader) {}
