package io.kindred.environment.adversary;

import io.kindred.core.peer.Message;
import io.kindred.core.peer.PeerId;
import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Weights;
import java.util.Optional;
import java.util.SortedMap;

/**
 * What a hostile peer remembers.
 *
 * @param first the first model that its honest machines sent
 * @param honest the last model that its honest machines sent
 * @param forged the model that was sent in its place
 * @param sent the last message to each peer
 * @param heard the last message of each peer in which it described itself
 */
@Buildable
public record ForgedMessagesState(
    Optional<Weights> first,
    Optional<Weights> honest,
    Optional<Weights> forged,
    SortedMap<PeerId, Sent> sent,
    SortedMap<PeerId, Message> heard) {
  /** A message as the honest machine wrote it, and as it left the peer. */
  public record Sent(Message honest, Message forged) {}
}
