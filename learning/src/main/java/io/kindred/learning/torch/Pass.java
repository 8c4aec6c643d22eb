package io.kindred.learning.torch;

import io.kindred.core.random.RandomStream;
import java.util.Optional;

/** One way through a network: how many samples, and for training where chance comes from. */
record Pass(int samples, Optional<RandomStream> noise) {
  static Pass training(int samples, RandomStream noise) {
    return new Pass(samples, Optional.of(noise));
  }

  static Pass evaluation(int samples) {
    return new Pass(samples, Optional.empty());
  }

  boolean isTraining() {
    return noise.isPresent();
  }
}
