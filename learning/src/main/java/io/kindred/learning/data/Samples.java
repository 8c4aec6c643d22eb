package io.kindred.learning.data;

import io.kindred.core.weights.Ints;
import java.util.Optional;

/**
 * Inputs with their class labels, and with who made them where the data say so. Where numbers are
 * asked for instead of classes, {@code targets} holds them; labels then only say how samples are
 * shared out among peers.
 */
public record Samples(
    Features features, Ints labels, Optional<Users> users, Optional<Features> targets) {
  public Samples {
    requireOneEach(features, labels.size(), "labels");
    users.ifPresent(known -> requireOneEach(features, known.bySample().size(), "users"));
    targets.ifPresent(known -> requireOneEach(features, known.count(), "targets"));
  }

  /** Samples of which nobody knows who made them. */
  public Samples(Features features, Ints labels) {
    this(features, labels, Optional.empty());
  }

  /** Samples of classes. */
  public Samples(Features features, Ints labels, Optional<Users> users) {
    this(features, labels, users, Optional.empty());
  }

  /** The same samples, of which numbers are asked. */
  public Samples withTargets(Features numbers) {
    return new Samples(features, labels, users, Optional.of(numbers));
  }

  private static void requireOneEach(Features features, int each, String what) {
    if (features.count() != each) {
      throw new IllegalArgumentException(features.count() + " samples but " + each + " " + what);
    }
  }

  public int count() {
    return labels.size();
  }
}
