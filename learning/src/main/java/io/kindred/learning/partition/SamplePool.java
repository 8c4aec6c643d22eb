package io.kindred.learning.partition;

import io.kindred.core.weights.Ints;
import io.kindred.learning.data.Dataset;
import io.kindred.learning.data.Users;
import java.util.Optional;

/** The attributes of samples that a partition may use. */
public record SamplePool(Ints labels, int classes, Optional<Users> users) {
  /** Samples of which only the labels are known. */
  public SamplePool(Ints labels, int classes) {
    this(labels, classes, Optional.empty());
  }

  /** The training samples of a data set. */
  public static SamplePool of(Dataset dataset) {
    return new SamplePool(dataset.train().labels(), dataset.classes(), dataset.train().users());
  }

  public int count() {
    return labels.size();
  }
}
