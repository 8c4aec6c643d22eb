package io.kindred.simulator.state;

import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Peer;
import io.kindred.core.peer.PeerId;
import io.kindred.environment.SimulatedEnvironment;
import io.kindred.protocol.wire.Wire;
import java.util.List;
import java.util.function.ToLongBiFunction;

/**
 * Everything about a run that does not change: who takes part, in which world. Peer number i is at
 * place i; a server comes last and has no neighbours of its own.
 *
 * @param participants machines of each peer, and of the server if there is one
 * @param environment what surrounds them
 * @param operations arithmetic operations of a ticket for a peer
 * @param wire codec that knows every record of the run
 * @param rounds how many rounds each peer goes
 * @param measuresLinks whether peers are told how the ways to their neighbours are
 * @param hasPersonalPhase whether a last, personal phase of each peer follows its last round
 * @param continuesAfterLastRound whether peers go on after their last round, so that the run ends
 *     without them
 */
public record SimulationSpec(
    List<Peer> participants,
    SimulatedEnvironment environment,
    ToLongBiFunction<PeerId, Ticket> operations,
    Wire wire,
    int rounds,
    boolean measuresLinks,
    boolean hasPersonalPhase,
    boolean continuesAfterLastRound) {
  public SimulationSpec {
    participants = List.copyOf(participants);
  }

  public int peers() {
    return environment.graph().peers();
  }
}
