package io.kindred.simulator;

import io.kindred.core.Note;
import io.kindred.core.PeerId;

/**
 * What a simulator can tell a peer that no real network could, such as an exact search over all
 * peers.
 */
public interface ShellService {
  /** Refuses everything, as a real node does. */
  ShellService NONE =
      (peer, note) -> {
        throw new IllegalStateException(peer + " asked the shell for " + note + "; nobody answers");
      };

  /**
   * The answer to a machine that told the shell something; delivered as a note at the next tick.
   */
  Note answer(PeerId peer, Note question);

  /** The same, for those who have to look at everybody to know it. */
  default Note answer(PeerId peer, Note question, Everybody everybody) {
    return answer(peer, question);
  }
}
