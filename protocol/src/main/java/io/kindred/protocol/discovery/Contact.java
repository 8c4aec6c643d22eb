package io.kindred.protocol.discovery;

import io.kindred.core.peer.PeerId;

/**
 * A random peer that a peer knows.
 *
 * @param age rounds since the contact said that it is there
 */
public record Contact(PeerId peer, int age) {
  Contact older() {
    return new Contact(peer, age + 1);
  }
}
