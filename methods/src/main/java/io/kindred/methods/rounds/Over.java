package io.kindred.methods.rounds;

import io.kindred.core.Message;
import io.kindred.core.peer.Layer;
import io.kindred.methods.Patience;
import java.util.List;

/** Where the common models live. */
public enum Over {
  /** With a server that averages what everybody made of them. */
  SERVER,
  /** With every peer, averaged among neighbours. */
  GRAPH;

  /**
   * Follows a recipe there; {@code kept} is how much of its old model a server keeps, {@code
   * staleness} how far a neighbour may lag behind.
   */
  public <M extends Memory> List<Layer<?>> layers(
      ServedRecipe<M> recipe, Patience patience, int staleness, double kept) {
    return switch (this) {
      case SERVER -> Server.alone(recipe, patience, kept);
      case GRAPH -> new Gossip<>(recipe, patience, staleness).alone();
    };
  }

  public List<Class<? extends Message>> messages() {
    return switch (this) {
      case SERVER -> Server.messages();
      case GRAPH -> List.of(Gossip.Offer.class);
    };
  }
}
