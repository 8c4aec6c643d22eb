package io.kindred.environment.adversary;

import io.kindred.core.config.Named;
import java.util.Optional;

/**
 * Many identities of one participant: all hostile peers train on the samples of the first of them,
 * with flipped labels, so that they support each other with nearly equal models (Fung, Yoon and
 * Beschastnikh, 2020, "The limitations of federated learning in sybil settings", section 4).
 */
@Named(
    value = "sybils",
    summary = "many identities of one: all train the first one's samples with flipped labels")
public record Sybils() implements Behaviour {
  @Override
  public Optional<Poison> poison() {
    return Optional.of(new Poison.FlippedLabels(true));
  }
}
