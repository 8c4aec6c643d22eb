package io.kindred.methods.rounds;

import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerLayer;
import io.kindred.methods.contract.TimeoutPolicy;
import java.util.List;

/** Where the common models live. */
public enum Aggregation {
  /** With a server that averages what everybody made of them. */
  SERVER,
  /** With every peer, averaged among neighbours. */
  GRAPH;

  /**
   * Follows a recipe there; {@code kept} is how much of its old model a server keeps, {@code
   * staleness} how far a neighbour may lag behind.
   */
  public <M extends LocalState> List<PeerLayer<?>> layers(
      ServerRoundAlgorithm<M> recipe, TimeoutPolicy timeout, int staleness, double kept) {
    return switch (this) {
      case SERVER -> Server.singleLayer(recipe, timeout, kept);
      case GRAPH -> new Gossip<>(recipe, timeout, staleness).singleLayer();
    };
  }

  public List<Class<? extends Message>> messages() {
    return switch (this) {
      case SERVER -> Server.messages();
      case GRAPH -> List.of(Gossip.NeighbourUpdate.class);
    };
  }
}
