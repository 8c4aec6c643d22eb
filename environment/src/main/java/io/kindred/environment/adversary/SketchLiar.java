package io.kindred.environment.adversary;

import io.kindred.core.config.Named;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.MessageValues;
import io.kindred.core.peer.PeerId;
import java.util.Optional;

/**
 * Wants to be pulled: it describes its model to every peer with that peer's own description, and
 * claims the largest similarity where it is asked for one. The model that it then sends has the
 * opposite change.
 */
@Named(value = "sketch-liar", summary = "claims to resemble every peer, and sends a reversed model")
public record SketchLiar() implements Behaviour {
  @Override
  public Optional<ModelForgery> models(HostilePeer peer) {
    return Optional.of(Forgeries.scaledChange(peer, -1));
  }

  @Override
  public Optional<ClaimForgery> claims(HostilePeer peer) {
    return Optional.of((to, honest, heard) -> resembling(peer.self(), to, honest, heard));
  }

  private static Message resembling(
      PeerId self, PeerId to, Message honest, Optional<Message> heard) {
    Optional<Object> likeness = Forgeries.likeness(to, heard);
    return MessageValues.rewrite(
        honest,
        (holder, claim, value) -> {
          boolean own = Forgeries.owner(holder).map(self::equals).orElse(true);
          if (!own || claim.isEmpty()) {
            return value;
          }
          return switch (claim.get()) {
            case LIKENESS -> likeness.orElse(value);
            case SIMILARITY -> 1f;
            default -> value;
          };
        });
  }
}
