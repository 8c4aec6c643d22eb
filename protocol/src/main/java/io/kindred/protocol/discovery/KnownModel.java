package io.kindred.protocol.discovery;

import io.kindred.core.peer.PeerId;

/**
 * A model that the sender of a message has a sketch of already, so that the sketch is not sent
 * again.
 *
 * @param age rounds since the owner said that this is its model
 * @param fingerprint of the sketch, so that peers notice where an owner told them different things
 */
public record KnownModel(PeerId peer, long version, int age, long fingerprint) {}
