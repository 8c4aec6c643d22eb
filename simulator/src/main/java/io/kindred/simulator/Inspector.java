package io.kindred.simulator;

import io.kindred.core.Event;
import io.kindred.core.PeerId;
import io.kindred.core.peer.PeerStep;
import io.kindred.world.Change;

/**
 * Whoever looks over the simulator's shoulder: checkers of what must always hold, and writers of
 * transcripts. Unlike a {@link Watcher} it sees what peers cannot, and it may stop a run by
 * throwing.
 */
public interface Inspector {
  /** Does not look. */
  Inspector NONE = new Inspector() {};

  /** A message has left its sender. */
  default void sent(Transfer transfer, long tick) {}

  /** A message will not arrive. */
  default void lost(Transfer transfer, long tick) {}

  /** A message has arrived and is about to be delivered. */
  default void arrived(Transfer transfer, long tick) {}

  /** A peer has answered an event. */
  default void stepped(long tick, PeerId peer, Event event, PeerStep step) {}

  /** Something has happened to the world. */
  default void changed(Change change) {}

  /** So many entries are in the queue, after a step. */
  default void queued(int entries) {}
}
