package io.kindred.methods.contract;

import io.kindred.core.peer.PeerId;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.overlay.ElectionIdentity;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * What the machines of a peer know from the start. Nothing here changes during a run, so machines
 * keep it outside their state.
 *
 * @param self id of the peer
 * @param role whether this is a peer or the server
 * @param server the server's id; meaningful only for methods that have one
 * @param peers the peers that the server serves; empty for a peer, which knows only its neighbours
 * @param networkSize how many peers the network is planned for, servers not counted; empty if nodes
 *     join and leave, so that no peer knows the number
 * @param rounds how many rounds to run
 * @param training how to train locally
 * @param samples size of the peer's training split
 * @param labelCounts how many training samples of each class
 * @param streams random streams of the run
 * @param initialWeights common initial weights by number: every method starts from 0, methods with
 *     several models also use others
 * @param electionIdentity the peer's identity in overlay elections
 * @param sentForm the weights that other peers receive when this peer sends some: an encoding may
 *     round them. A peer that describes its model to others describes these weights.
 * @param choice the neighbours that the peer exchanges models with in each direction; empty for all
 *     in both
 * @param capacity how much the peer's device can serve others, more is better; the overlay prefers
 *     peers with more as replicas
 */
@Buildable
public record PeerContext(
    PeerId self,
    Role role,
    PeerId server,
    List<PeerId> peers,
    OptionalInt networkSize,
    int rounds,
    Training training,
    int samples,
    Ints labelCounts,
    RandomStreams streams,
    IntFunction<Weights> initialWeights,
    Supplier<ElectionIdentity> electionIdentity,
    UnaryOperator<Weights> sentForm,
    Optional<NeighbourChoice> choice,
    double capacity) {
  /** Role of a participant in the run. */
  public enum Role {
    PEER,
    SERVER
  }

  public PeerContext {
    peers = List.copyOf(peers);
  }

  /** As many other peers as are wanted, or all others if the network is known to have fewer. */
  public int atMostOthers(int wanted) {
    return networkSize.isPresent()
        ? Math.clamp(wanted, 0, Math.max(0, networkSize.getAsInt() - 1))
        : wanted;
  }

  /** Whether the peer receives the models of a neighbour. */
  public boolean receivesFrom(PeerId neighbour) {
    return choice.map(each -> each.sources().contains(neighbour)).orElse(true);
  }

  /** Whether a neighbour receives the models of the peer. */
  public boolean sendsTo(PeerId neighbour) {
    return choice.map(each -> each.audience().contains(neighbour)).orElse(true);
  }
}
