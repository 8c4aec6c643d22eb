package io.kindred.environment.adversary;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import java.util.Optional;

/**
 * Sends a model that cost nothing, and takes those of others (Lin, Du and Liu, 2019, "Free-riders
 * in federated learning", section 3).
 */
@Named(value = "free-rider", summary = "sends the start or an old model, and takes those of others")
public record FreeRider(
    @Setting(
            doc = "what it sends: the common `start`, or an `old` model, the first that it trained",
            fallback = "start")
        Model sends)
    implements Behaviour {
  /** The model that a free rider sends. */
  public enum Model {
    START,
    OLD
  }

  @Override
  public Optional<ModelForgery> models(HostilePeer peer) {
    return Optional.of(
        switch (sends) {
          case START -> (_, _) -> peer.start().get();
          case OLD -> (first, _) -> first;
        });
  }
}
