package io.kindred.simulator;

import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.PeerState;
import java.util.List;

/** What only a simulator sees: the states of all peers at one moment. */
public interface GlobalView {
  /** Peers that are up, in ascending order; a server is not among them. */
  List<PeerId> livePeers();

  PeerState state(PeerId peer);
}
