package io.kindred.simulator;

import io.kindred.core.PeerId;
import io.kindred.core.peer.Peer;
import io.kindred.core.work.Ticket;
import io.kindred.protocol.wire.Wire;
import io.kindred.world.World;
import java.util.List;
import java.util.function.ToLongBiFunction;

/**
 * Everything about a run that does not change: who takes part, in which world. Peer number i is at
 * place i; a server comes last and has no neighbours of its own.
 *
 * @param participants machines of each peer, and of the server if there is one
 * @param world what surrounds them
 * @param operations arithmetic operations of a ticket for a peer
 * @param wire codec that knows every record of the run
 * @param rounds how many rounds each peer goes
 * @param measuresLinks whether peers are told how the ways to their neighbours are
 * @param personal whether a last, personal phase of each peer follows its last round
 * @param lingers whether peers go on after their last round, so that the run ends without them
 */
public record Scene(
    List<Peer> participants,
    World world,
    ToLongBiFunction<PeerId, Ticket> operations,
    Wire wire,
    int rounds,
    boolean measuresLinks,
    boolean personal,
    boolean lingers) {
  public Scene {
    participants = List.copyOf(participants);
  }

  int peers() {
    return world.graph().peers();
  }
}
