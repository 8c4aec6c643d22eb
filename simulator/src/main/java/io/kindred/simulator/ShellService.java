package io.kindred.simulator;

import io.kindred.core.peer.LocalMessage;
import io.kindred.core.peer.PeerId;

/**
 * What a simulator can tell a peer that no real network could, such as an exact search over all
 * peers.
 */
public interface ShellService {
  /** Refuses everything, as a real node does. */
  ShellService NONE =
      (peer, message) -> {
        throw new IllegalStateException(
            peer + " asked the shell for " + message + "; nobody answers");
      };

  /**
   * The answer to a machine that told the shell something; delivered as a note at the next tick.
   */
  LocalMessage answer(PeerId peer, LocalMessage question);

  /** The same, for those who have to look at everybody to know it. */
  default LocalMessage answer(PeerId peer, LocalMessage question, GlobalView view) {
    return answer(peer, question);
  }
}
