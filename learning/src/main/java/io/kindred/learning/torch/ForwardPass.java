package io.kindred.learning.torch;

import io.kindred.core.random.RandomStream;
import java.util.Optional;

/** One way through a network: how many samples, and for training where chance comes from. */
record ForwardPass(int samples, Optional<RandomStream> noise) {
  static ForwardPass training(int samples, RandomStream noise) {
    return new ForwardPass(samples, Optional.of(noise));
  }

  static ForwardPass evaluation(int samples) {
    return new ForwardPass(samples, Optional.empty());
  }

  boolean isTraining() {
    return noise.isPresent();
  }
}
