package io.kindred.methods.contract;

import io.kindred.core.peer.PeerId;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Which neighbours a peer receives models from, and which receive its own, where a link may serve
 * one direction only.
 *
 * @param sources the neighbours that the peer has chosen
 * @param audience the neighbours that have chosen the peer
 */
public record NeighbourChoice(SortedSet<PeerId> sources, SortedSet<PeerId> audience) {
  public NeighbourChoice {
    sources = new TreeSet<>(sources);
    audience = new TreeSet<>(audience);
  }
}
