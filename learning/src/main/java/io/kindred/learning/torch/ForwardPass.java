package io.kindred.learning.torch;

import io.kindred.core.random.RandomStream;
import java.util.Optional;

/** One forward pass through a network: the number of samples, and the random stream in training. */
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
