package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.clustering.ZoneId;

/**
 * The root of a hierarchy: the root zone, and its leader in a term. After a network split both
 * parts keep the same zones, but soon have different leaders. Once they are connected again, the id
 * shows that there are two hierarchies.
 */
public record RootId(ZoneId zone, long term, PeerId leader) {}
