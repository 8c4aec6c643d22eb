package io.kindred.learning.data;

import java.util.List;
import java.util.Optional;

/**
 * A task: samples to share out among peers and a common test set that nobody trains on. {@code
 * shape} is channels, height, width for pictures; {@code deviations} say how answers of numbers are
 * judged, and are empty for classes.
 */
public record Dataset(
    String name,
    List<Integer> shape,
    int classes,
    Samples train,
    Samples test,
    List<ErrorMetric> errorMetrics) {
  public Dataset {
    shape = List.copyOf(shape);
    errorMetrics = List.copyOf(errorMetrics);
    if (!width(train.targets()).equals(width(test.targets()))) {
      throw new IllegalArgumentException(
          name + ": training and test samples differ in the numbers that are asked for");
    }
  }

  /** Numbers, where they are asked for, are judged by their distance. */
  public Dataset(String name, List<Integer> shape, int classes, Samples train, Samples test) {
    this(
        name,
        shape,
        classes,
        train,
        test,
        train.targets().isPresent() ? List.of(ErrorMetric.DISTANCE) : List.of());
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
