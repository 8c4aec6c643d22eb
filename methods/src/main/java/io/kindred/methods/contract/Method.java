package io.kindred.methods.contract;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerLayer;
import java.util.List;
import java.util.SortedSet;

/**
 * An algorithm as the lab sees it. Everything a peer does is in the machines that {@link #layers}
 * makes; the rest declares what they need, so that a run that cannot work is refused before it
 * starts.
 */
public interface Method {
  /** The machines of one peer, or of the server, bottom of the stack first. */
  List<PeerLayer<?>> layers(PeerContext context);

  /** Kinds of tickets that the machines emit; a node refuses to open any other. */
  SortedSet<Ticket.Kind> ticketKinds();

  /** Every message that the machines send, for the codec. */
  List<Class<? extends Message>> messages();

  /**
   * Records other than messages that stand behind open interfaces: notes, pure functions and their
   * answers.
   */
  default List<Class<?>> otherRecords() {
    return List.of();
  }

  /** Whether one extra peer, not counted among the peers, plays server or coordinator. */
  default boolean hasServer() {
    return false;
  }

  /** Whether it works only where all data can be seen at once, as no real network allows. */
  default boolean pooledData() {
    return false;
  }

  /** The stage of the last round with which a peer, not a server, is through. */
  default Observation.Stage lastStage() {
    return Observation.Stage.MIXED;
  }

  /** How many rounds old a model may be when it is mixed. */
  default int staleness() {
    return 0;
  }

  /** Whether peers want to know how the ways to their neighbours are. */
  default boolean measuresLinks() {
    return false;
  }

  /** Whether peers go on after their last round, as those do that keep an overlay alive. */
  default boolean continuesAfterLastRound() {
    return false;
  }

  /** Refuses what is impossible together, such as more participants than peers. */
  default void check(int peers) {}
}
