package io.kindred.methods.contract;

import io.kindred.core.peer.PeerId;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Weights;
import io.kindred.protocol.overlay.ElectionIdentity;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * What a peer's machines may know from the start. Everything here is fixed for the life of the
 * peer, so machines keep it outside their state.
 *
 * @param self who this is
 * @param role what it is
 * @param server the server's id; meaningful only for methods that have one
 * @param peers the peers that a server serves; empty for everybody else, who know only their
 *     neighbours
 * @param networkSize how many peers the network is planned for, servers not counted
 * @param rounds how many rounds to go
 * @param training how to train locally
 * @param samples size of the own training part
 * @param labelCounts how many training samples of each class
 * @param streams random streams of the run
 * @param initialWeights common starting points: 0 is the one every method starts from, others for
 *     several models
 * @param electionIdentity what it takes part in elections of an overlay with
 */
public record PeerContext(
    PeerId self,
    Role role,
    PeerId server,
    List<PeerId> peers,
    int networkSize,
    int rounds,
    Training training,
    int samples,
    Ints labelCounts,
    RandomStreams streams,
    IntFunction<Weights> initialWeights,
    Supplier<ElectionIdentity> electionIdentity) {
  /** What a peer is in the run. */
  public enum Role {
    PEER,
    SERVER
  }

  public PeerContext {
    peers = List.copyOf(peers);
  }
}
