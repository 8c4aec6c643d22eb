package io.kindred.environment.adversary;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import java.util.Optional;

/**
 * Sends the start plus a multiple of the own change, so that the own model outweighs all others
 * (model replacement: Bagdasaryan et al., 2020, "How to backdoor federated learning", section 3.2).
 */
@Named(value = "rescaled", summary = "sends the model's change multiplied, to outweigh others")
public record RescaledUpdate(
    @Setting(doc = "factor of the change", fallback = "10", above = 0) double factor)
    implements Behaviour {
  @Override
  public Optional<ModelForgery> models(HostilePeer peer) {
    return Optional.of(Forgeries.scaledChange(peer, factor));
  }
}
