package io.kindred.methods.contract;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.Observation;
import io.kindred.core.peer.PeerLayer;
import io.kindred.methods.robust.AsPublished;
import io.kindred.methods.robust.RobustRule;
import java.util.List;
import java.util.SortedSet;

/**
 * A learning method as experiments and nodes see it. All behaviour of a peer is in the machines
 * that {@link #layers} creates; the other methods declare what the machines need, so that a run
 * that cannot work is refused before it starts.
 */
public interface Method {
  /** Stands for the number of peers of a network that nodes join and leave; none is larger. */
  int UNKNOWN_PEERS = Integer.MAX_VALUE;

  /** The machines of one peer, or of the server, bottom of the stack first. */
  List<PeerLayer<?>> layers(PeerContext context);

  /** Kinds of tickets that the machines emit; a node refuses all other kinds. */
  SortedSet<Ticket.Kind> ticketKinds();

  /** Every message that the machines send, for the codec. */
  List<Class<? extends Message>> messages();

  /**
   * Records other than messages that implement open interfaces: local messages, local states, pure
   * functions and their answers.
   */
  default List<Class<?>> otherRecords() {
    return List.of();
  }

  /**
   * Whether the method has one extra peer, not counted among the peers, as server or coordinator.
   */
  default boolean hasServer() {
    return false;
  }

  /** Whether the method needs all data in one place, which no real network allows. */
  default boolean pooledData() {
    return false;
  }

  /** Whether peers need a shell that sees all peers, which only a simulator is. */
  default boolean needsGlobalView() {
    return false;
  }

  /** The stage with which a peer (not a server) completes its last round. */
  default Observation.Stage lastStage() {
    return Observation.Stage.MIXED;
  }

  /** How many rounds old a model may be when it is mixed. */
  default int staleness() {
    return 0;
  }

  /** The rule by which the method mixes received models, unless the run names another one. */
  default RobustRule defaultRobustRule() {
    return new AsPublished();
  }

  /** Whether peers need measurements of the links to their neighbours. */
  default boolean measuresLinks() {
    return false;
  }

  /** Whether peers keep running after their last round, for example to maintain an overlay. */
  default boolean continuesAfterLastRound() {
    return false;
  }

  /** Refuses settings that do not fit the number of peers, such as more participants than peers. */
  default void check(int peers) {}

  /** Refuses settings that do not fit the number of peers or the training settings. */
  default void check(int peers, Training training) {
    check(peers);
  }

  /**
   * Settings that cannot have their full effect among so many peers, one line each with the key and
   * a remedy. The run goes on: one file serves networks of several sizes.
   */
  default List<String> warnings(int peers) {
    return List.of();
  }

  /**
   * All lines that an operator reads before the run: those about the number of peers, and those
   * about settings that do not fit the training settings.
   */
  default List<String> warnings(int peers, Training training) {
    return warnings(peers);
  }
}
