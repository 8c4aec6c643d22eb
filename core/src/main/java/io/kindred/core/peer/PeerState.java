package io.kindred.core.peer;

import java.util.List;

/**
 * The states of a peer's machines, in the order of its stack, and then the states of its
 * interceptors.
 */
public record PeerState(List<Object> layers) {
  public PeerState {
    layers = List.copyOf(layers);
  }
}
