package io.kindred.learning.partition;

import io.kindred.core.weights.Ints;
import java.util.List;
import java.util.Optional;

/**
 * Who gets what. Shares are indices in ascending order: of the samples themselves or, where the
 * partition also changes samples, of the rows of its {@link Variation}.
 */
public record Division(List<Ints> shares, Optional<Variation> variation) {
  public Division {
    shares = List.copyOf(shares);
  }

  /** Samples as they are. */
  public static Division plain(List<Ints> shares) {
    return new Division(shares, Optional.empty());
  }
}
