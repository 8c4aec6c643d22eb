package io.kindred.environment.adversary;

import io.kindred.core.peer.Component;
import io.kindred.core.peer.InterceptedLayer;
import java.util.List;
import java.util.Optional;

/** What a hostile peer does. */
public interface Behaviour {
  /** Falsifies models that the peer sends; empty if they stay as they are. */
  default Optional<ModelForgery> models(HostilePeer peer) {
    return Optional.empty();
  }

  /** Falsifies the claims of messages; empty if they stay as they are. */
  default Optional<ClaimForgery> claims(HostilePeer peer) {
    return Optional.empty();
  }

  /** What the peer does to its training samples; empty if it trains on them as they are. */
  default Optional<Poison> poison() {
    return Optional.empty();
  }

  /** The interceptors of the peer's machines, for a peer with these components. */
  default List<InterceptedLayer<?>> layers(HostilePeer peer, List<Component> components) {
    Optional<ModelForgery> models = models(peer);
    Optional<ClaimForgery> claims = claims(peer);
    if (models.isEmpty() && claims.isEmpty()) {
      return List.of();
    }
    return components.stream()
        .<InterceptedLayer<?>>map(
            component ->
                new InterceptedLayer<>(
                    component,
                    new ForgedMessages(peer.self(), models, claims),
                    ForgedMessagesState.class))
        .toList();
  }
}
