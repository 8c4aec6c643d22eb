package io.kindred.environment.adversary;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.peer.Claim;
import java.util.Optional;

/** Claims a multiple of its samples, and sends the change of its model with the opposite sign. */
@Named(value = "count-liar", summary = "claims many samples for a reversed model")
public record CountLiar(
    @Setting(doc = "factor on the number of samples", fallback = "100", min = 1, max = 1e6)
        double factor)
    implements Behaviour {
  @Override
  public Optional<ModelForgery> models(HostilePeer peer) {
    return Optional.of(Forgeries.scaledChange(peer, -1));
  }

  @Override
  public Optional<ClaimForgery> claims(HostilePeer peer) {
    return Optional.of(Forgeries.replacing(Claim.Kind.SAMPLES, this::many));
  }

  private Object many(Object value) {
    return switch (value) {
      case Integer samples -> (int) Math.min(Integer.MAX_VALUE, samples * factor);
      case Double share -> share * factor;
      default -> value;
    };
  }
}
