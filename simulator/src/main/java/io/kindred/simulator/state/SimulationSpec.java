package io.kindred.simulator.state;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Peer;
import io.kindred.core.peer.PeerId;
import io.kindred.environment.SimulatedEnvironment;
import io.kindred.protocol.wire.Wire;
import io.kindred.runtime.RoundCompletion;
import java.util.List;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToLongBiFunction;

/**
 * The immutable inputs of a run: its participants and their environment. Peer number i is at index
 * i; a server comes last and has no neighbours of its own.
 *
 * @param participants machines of each peer, and of the server if there is one
 * @param environment environment of the participants
 * @param operations arithmetic operations of a ticket for a peer
 * @param epochs how many times a training goes over all samples of a peer
 * @param wire codec that knows every record of the run
 * @param roundCompletion the rounds of each peer, and when one of them is over
 * @param measuresLinks whether peers receive measurements of the links to their neighbours
 * @param continuesAfterLastRound whether peers continue after their last round, so that the run
 *     ends without them
 */
public record SimulationSpec(
    List<Peer> participants,
    SimulatedEnvironment environment,
    ToLongBiFunction<PeerId, Ticket> operations,
    ToDoubleBiFunction<PeerId, Ticket.Train> epochs,
    Wire wire,
    RoundCompletion roundCompletion,
    boolean measuresLinks,
    boolean continuesAfterLastRound) {
  public SimulationSpec {
    participants = List.copyOf(participants);
  }

  /** Number of rounds of each peer. */
  public int rounds() {
    return roundCompletion.rounds();
  }

  public int peers() {
    return environment.graph().peers();
  }
}
