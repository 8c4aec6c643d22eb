package io.kindred.protocol.discovery;

import io.kindred.core.peer.PeerId;

/**
 * What a peer says about its model.
 *
 * @param version round of the model; a later model has a larger version
 */
public record Descriptor(PeerId peer, int version, Sketch sketch) {}
