package io.kindred.learning.data;

import java.util.List;
import java.util.Optional;

/**
 * A task: samples to share out among peers and a common test set that nobody trains on. {@code
 * shape} is channels, height, width for pictures.
 */
public record Dataset(String name, List<Integer> shape, int classes, Samples train, Samples test) {
  public Dataset {
    shape = List.copyOf(shape);
    if (!width(train.targets()).equals(width(test.targets()))) {
      throw new IllegalArgumentException(
          name + ": training and test samples differ in the numbers that are asked for");
    }
  }

  private static Optional<Integer> width(Optional<Features> targets) {
    return targets.map(Features::width);
  }

  public Task task() {
    return train.targets().isPresent() ? Task.REGRESSION : Task.CLASSIFICATION;
  }

  /** Values that a model answers: a score for each class, or the numbers that are asked for. */
  public int outputs() {
    return width(train.targets()).orElse(classes);
  }

  public int width() {
    return train.features().width();
  }
}
