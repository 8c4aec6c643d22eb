package io.kindred.environment.adversary;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.peer.Claim;
import java.util.Optional;

/** Claims to be some rounds ahead, so that others skip rounds or take its model as the newest. */
@Named(value = "round-liar", summary = "claims to be rounds ahead")
public record RoundLiar(
    @Setting(doc = "rounds ahead of the true one", fallback = "5", min = 1, max = 1e6) int ahead)
    implements Behaviour {
  @Override
  public Optional<ClaimForgery> claims(HostilePeer peer) {
    return Optional.of(Forgeries.replacing(Claim.Kind.ROUND, value -> (int) value + ahead));
  }
}
