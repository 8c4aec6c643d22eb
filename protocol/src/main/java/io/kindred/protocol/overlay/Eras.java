package io.kindred.protocol.overlay;

import io.kindred.core.PeerId;
import io.kindred.protocol.overlay.OverlayMessage.OfLevel;
import io.kindred.protocol.overlay.OverlayMessage.ScoreOffer;

/** Which overlay a message is about, and what to make of one that this peer is not in. */
final class Eras {
  private Eras() {}

  /**
   * Goes over to the overlay that a message belongs to; false where it is not for this peer.
   * Somebody who begins the next epoch is followed. Somebody who begins one that is built already
   * was away, and is told where to ask. One that is far ahead was never begun by anybody.
   */
  static boolean enter(Turn turn, PeerId from, OverlayMessage message) {
    boolean lives = turn.settings.life().lives();
    boolean first = message instanceof OfLevel formation && formation.level() == 1;
    if (lives && first && turn.canFollow(message.epoch()) && !turn.standing.leaving()) {
      new Lives(turn).beginEpoch(message.epoch());
    }
    if (!turn.knows(message.epoch())) {
      turn.count("overlay-other-epoch");
      if (lives && message instanceof ScoreOffer) {
        new Newcomers(turn).shelter(from);
      }
      return false;
    }
    turn.enter(message.epoch());
    if (lives && first && message instanceof ScoreOffer && turn.era().settled()) {
      new Newcomers(turn).shelter(from);
      return false;
    }
    return true;
  }
}
