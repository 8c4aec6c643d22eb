package io.kindred.environment.adversary;

import io.kindred.core.config.Named;
import io.kindred.core.peer.Message;
import io.kindred.core.peer.MessageValues;
import io.kindred.core.peer.PeerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Forges what it tells of other peers: it names hostile peers in place of honest ones, each with
 * the receiver's own description and the largest similarity. The models of these peers have the
 * opposite change.
 */
@Named(value = "answer-forger", summary = "names hostile peers in place of the peers found")
public record AnswerForger() implements Behaviour {
  @Override
  public Optional<ModelForgery> models(HostilePeer peer) {
    return Optional.of(Forgeries.scaledChange(peer, -1));
  }

  @Override
  public Optional<ClaimForgery> claims(HostilePeer peer) {
    return Optional.of((to, honest, heard) -> forged(peer, to, honest, heard));
  }

  private static Message forged(
      HostilePeer peer, PeerId to, Message honest, Optional<Message> heard) {
    if (honest.category() != Message.Category.SEARCH) {
      return honest;
    }
    Optional<Object> likeness = Forgeries.likeness(to, heard);
    List<PeerId> unnamed = new ArrayList<>(peer.accomplices());
    unnamed.remove(to);
    unnamed.remove(peer.self());
    SortedMap<PeerId, PeerId> named = new TreeMap<>();
    return MessageValues.rewrite(
        honest,
        (holder, claim, value) -> {
          Optional<PeerId> owner = Forgeries.owner(holder);
          if (owner.isEmpty() || claim.isEmpty() || owner.get().equals(to)) {
            return value;
          }
          if (!named.containsKey(owner.get())
              && !peer.accomplices().contains(owner.get())
              && !unnamed.isEmpty()) {
            named.put(owner.get(), unnamed.removeFirst());
          }
          boolean hostile =
              named.containsKey(owner.get()) || peer.accomplices().contains(owner.get());
          return switch (claim.get()) {
            case OWNER -> named.getOrDefault(owner.get(), owner.get());
            case LIKENESS -> hostile ? likeness.orElse(value) : value;
            case SIMILARITY -> hostile ? (Object) 1f : value;
            default -> value;
          };
        });
  }
}
