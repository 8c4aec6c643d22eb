package io.kindred.environment.adversary;

import io.kindred.core.config.Named;
import java.util.Optional;

/**
 * Trains on false labels: class c of n becomes n - 1 - c (Fang et al., 2020, section 4.1.3, label
 * flipping). Everything else is honest.
 */
@Named(value = "label-flip", summary = "trains on flipped labels")
public record LabelFlip() implements Behaviour {
  @Override
  public Optional<Poison> poison() {
    return Optional.of(new Poison.FlippedLabels(false));
  }
}
