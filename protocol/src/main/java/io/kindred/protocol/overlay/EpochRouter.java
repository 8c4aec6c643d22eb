package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.overlay.OverlayMessage.FormationMessage;
import io.kindred.protocol.overlay.OverlayMessage.ScoreOffer;

/** Selects the overlay that a message belongs to, by epoch. */
final class EpochRouter {
  private EpochRouter() {}

  /**
   * Enters the epoch of a message; false if this peer must not process the message. This peer
   * follows a peer that begins the next epoch. A peer that begins an epoch which is already built
   * was offline, and receives a contact to join through. An epoch too far ahead cannot be genuine
   * and is ignored.
   */
  static boolean route(OverlayStep step, PeerId from, OverlayMessage message) {
    boolean maintained = step.settings.maintenance().enabled();
    boolean first = message instanceof FormationMessage formation && formation.level() == 1;
    if (maintained && first && step.canFollow(message.epoch()) && !step.status.leaving()) {
      step.raise(new OverlayEvent.EpochRequested(message.epoch()));
    }
    if (!step.hasEpoch(message.epoch())) {
      step.count("overlay-other-epoch");
      if (maintained && message instanceof ScoreOffer) {
        step.raise(new OverlayEvent.ContactRequested(from));
      }
      return false;
    }
    step.enterEpoch(message.epoch());
    if (maintained && first && message instanceof ScoreOffer && step.epochState().isReady()) {
      step.raise(new OverlayEvent.ContactRequested(from));
      return false;
    }
    return true;
  }
}
