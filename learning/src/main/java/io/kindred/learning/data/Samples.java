package io.kindred.learning.data;

import io.kindred.core.weights.Ints;

/** Inputs with their class labels. */
public record Samples(Features features, Ints labels) {
  public Samples {
    if (features.count() != labels.size()) {
      throw new IllegalArgumentException(
          features.count() + " samples but " + labels.size() + " labels");
    }
  }

  public int count() {
    return labels.size();
  }
}
