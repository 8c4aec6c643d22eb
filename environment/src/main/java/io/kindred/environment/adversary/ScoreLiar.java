package io.kindred.environment.adversary;

import io.kindred.core.config.Named;
import io.kindred.core.peer.Claim;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Reports false held-out losses: the best choice gets the loss of the worst one and the other way
 * round.
 */
@Named(value = "score-liar", summary = "reports false held-out losses")
public record ScoreLiar() implements Behaviour {
  @Override
  public Optional<ClaimForgery> claims(HostilePeer peer) {
    return Optional.of(Forgeries.replacing(Claim.Kind.SCORES, value -> reversed((List<?>) value)));
  }

  private static Object reversed(List<?> losses) {
    List<Double> values = losses.stream().map(Double.class::cast).toList();
    double turned = values.isEmpty() ? 0 : Collections.max(values) + Collections.min(values);
    return values.stream().map(each -> turned - each).toList();
  }
}
