package io.kindred.simulator;

import io.kindred.core.peer.LocalMessage;
import io.kindred.core.peer.PeerId;

/**
 * What a simulator can answer a peer and no real network could, such as an exact search over all
 * peers.
 */
public interface ShellService {
  /** Refuses every question, as a real node does. */
  ShellService NONE =
      (peer, message) -> {
        throw new IllegalStateException(
            peer + " asked the shell for " + message + "; this shell offers no service");
      };

  /** The answer to a local message for the shell; delivered as a local message at the next tick. */
  LocalMessage answer(PeerId peer, LocalMessage question);

  /** The same, for services that need the states of all peers. */
  default LocalMessage answer(PeerId peer, LocalMessage question, GlobalView view) {
    return answer(peer, question);
  }
}
