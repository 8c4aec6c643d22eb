package io.kindred.environment.adversary;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import java.util.Optional;

/**
 * Sends the start minus a multiple of the own change since the start (Li et al., 2019, "RSA:
 * Byzantine-robust stochastic aggregation methods", section 5, sign-flipping). What peers exchange
 * are models and not gradients, so the change since the start takes the place of the gradient.
 */
@Named(value = "sign-flip", summary = "sends the model's change with the opposite sign")
public record SignFlip(
    @Setting(doc = "factor of the reversed change", fallback = "1", above = 0) double factor)
    implements Behaviour {
  @Override
  public Optional<ModelForgery> models(HostilePeer peer) {
    return Optional.of(Forgeries.scaledChange(peer, -factor));
  }
}
