package io.kindred.methods.rounds;

import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerLayer;
import io.kindred.methods.rounds.NeighbourMessage.NeighbourUpdate;
import java.util.List;

/** Where common models are kept and averaged. */
public enum Aggregation {
  /** A server keeps the models and averages the updates of its clients. */
  SERVER,
  /** Every peer keeps the models and averages them with its neighbours. */
  GRAPH;

  /**
   * The layers that run an algorithm; {@code retainedShare} is the share of its old model that a
   * server keeps.
   */
  public <M extends LocalState> List<PeerLayer<?>> layers(
      ServerRoundAlgorithm<M> algorithm, RoundSettings settings, double retainedShare) {
    return switch (this) {
      case SERVER -> Server.singleLayer(algorithm, settings, retainedShare);
      case GRAPH -> new Gossip<>(algorithm, settings.timeout(), settings.staleness()).singleLayer();
    };
  }

  public List<Class<? extends Message>> messages() {
    return switch (this) {
      case SERVER -> ServerMessage.types();
      case GRAPH -> List.of(NeighbourUpdate.class);
    };
  }
}
