package io.kindred.learning.data;

import io.kindred.core.record.Buildable;
import io.kindred.core.weights.Ints;
import java.util.Optional;

/**
 * Inputs with their class labels, and with their users if the data name them. For a regression
 * {@code targets} holds the target values; labels then serve only to partition the samples among
 * peers.
 */
@Buildable
public record Samples(
    Features features, Ints labels, Optional<Users> users, Optional<Features> targets) {
  public Samples {
    requireOneEach(features, labels.size(), "labels");
    users.ifPresent(known -> requireOneEach(features, known.bySample().size(), "users"));
    targets.ifPresent(known -> requireOneEach(features, known.count(), "targets"));
  }

  /** Samples whose users are unknown. */
  public Samples(Features features, Ints labels) {
    this(features, labels, Optional.empty());
  }

  /** Samples of a classification. */
  public Samples(Features features, Ints labels, Optional<Users> users) {
    this(features, labels, users, Optional.empty());
  }

  /** The same samples with regression targets. */
  public Samples withTargets(Features numbers) {
    return SamplesBuilder.from(this).targets(Optional.of(numbers)).build();
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
