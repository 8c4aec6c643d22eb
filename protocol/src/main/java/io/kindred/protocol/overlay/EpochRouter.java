package io.kindred.protocol.overlay;

import io.kindred.core.peer.PeerId;
import io.kindred.protocol.overlay.OverlayMessage.FormationMessage;
import io.kindred.protocol.overlay.OverlayMessage.ScoreOffer;

/** Which overlay a message is about, and what to make of one that this peer is not in. */
final class EpochRouter {
  private EpochRouter() {}

  /**
   * Goes over to the overlay that a message belongs to; false where it is not for this peer.
   * Somebody who begins the next epoch is followed. Somebody who begins one that is built already
   * was away, and is told where to ask. One that is far ahead was never begun by anybody.
   */
  static boolean route(OverlayStep step, PeerId from, OverlayMessage message) {
    boolean lives = step.settings.maintenance().enabled();
    boolean first = message instanceof FormationMessage formation && formation.level() == 1;
    if (lives && first && step.canFollow(message.epoch()) && !step.status.leaving()) {
      new Heartbeats(step).beginEpoch(message.epoch());
    }
    if (!step.hasEpoch(message.epoch())) {
      step.count("overlay-other-epoch");
      if (lives && message instanceof ScoreOffer) {
        new JoinProtocol(step).sendContact(from);
      }
      return false;
    }
    step.enterEpoch(message.epoch());
    if (lives && first && message instanceof ScoreOffer && step.epochState().isReady()) {
      new JoinProtocol(step).sendContact(from);
      return false;
    }
    return true;
  }
}
