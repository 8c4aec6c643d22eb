package io.kindred.environment.adversary;

import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import java.util.Optional;

/** Falsifies the claims of a message that a hostile peer sends. */
@FunctionalInterface
public interface ClaimForgery {
  /**
   * The message to send.
   *
   * @param to the receiver
   * @param heard the last message of the receiver in which it described itself
   */
  Message forged(PeerId to, Message honest, Optional<Message> heard);
}
