package io.kindred.learning.data;

import io.kindred.core.weights.Ints;
import java.util.Optional;

/** Inputs with their class labels, and with who made them where the data say so. */
public record Samples(Features features, Ints labels, Optional<Users> users) {
  public Samples {
    requireOneEach(features, labels, "labels");
    users.ifPresent(known -> requireOneEach(features, known.ofSamples(), "users"));
  }

  /** Samples of which nobody knows who made them. */
  public Samples(Features features, Ints labels) {
    this(features, labels, Optional.empty());
  }

  private static void requireOneEach(Features features, Ints each, String what) {
    if (features.count() != each.size()) {
      throw new IllegalArgumentException(
          features.count() + " samples but " + each.size() + " " + what);
    }
  }

  public int count() {
    return labels.size();
  }
}
