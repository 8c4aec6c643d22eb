package io.kindred.methods.rounds;

import io.kindred.core.peer.Effect;
import io.kindred.core.peer.Event;
import io.kindred.core.peer.PeerId;
import io.kindred.core.peer.Step;
import java.util.List;

/**
 * With which peers a peer of {@link Gossip} exchanges updates, and how: with its neighbours in the
 * topology, or with partners that a search found for one round.
 */
interface UpdateExchange {
  /** How often a peer retries to send an update that did not arrive. */
  int RETRIES = 5;

  /** The peer has these neighbours, at its start or after a restart. */
  GossipState introduced(GossipState state, List<PeerId> neighbours);

  /** The peer has other neighbours from now on. */
  Step<GossipState> neighboursChanged(GossipState state, List<PeerId> neighbours);

  /**
   * Sends the update of the round.
   *
   * @param requestsReply whether the peer may have missed the updates of others
   */
  List<Effect> share(GossipState state, boolean requestsReply);

  /** Whether all updates of this round that the peer waits for have arrived. */
  boolean isComplete(GossipState state);

  /** The peers whose updates are merged if they have arrived, in the order of the merge. */
  List<PeerId> senders(GossipState state);

  /** The state at the beginning of a later round, with the updates that it may still use. */
  GossipState atRound(GossipState state, int round);

  Step<GossipState> received(GossipState state, Event.Received received);

  Step<GossipState> sendFailed(GossipState state, Event.SendFailed failed);
}
