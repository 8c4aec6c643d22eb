package io.kindred.learning.data;

import io.kindred.core.record.Buildable;
import java.util.List;
import java.util.Optional;

/**
 * A task: training samples to partition among peers and a common test set that no peer trains on.
 * {@code shape} is channels, height, width for images. {@code errorMetrics} measure the outputs of
 * a regression; the list is empty for classification. {@code reading} says how the samples were
 * read from files, with the names of the classes.
 */
@Buildable
public record Dataset(
    String name,
    List<Integer> shape,
    int classes,
    Samples train,
    Samples test,
    List<ErrorMetric> errorMetrics,
    DataReading reading) {
  public Dataset {
    shape = List.copyOf(shape);
    errorMetrics = List.copyOf(errorMetrics);
    if (!width(train.targets()).equals(width(test.targets()))) {
      throw new IllegalArgumentException(
          name + ": training and test samples differ in their number of regression outputs");
    }
    int named = reading.task().classes().size();
    if (named > 0 && named != classes) {
      throw new IllegalArgumentException(
          name + ": " + named + " names for " + classes + " classes");
    }
  }

  /** Samples whose classes have no names. */
  public Dataset(
      String name,
      List<Integer> shape,
      int classes,
      Samples train,
      Samples test,
      List<ErrorMetric> errorMetrics) {
    this(name, shape, classes, train, test, errorMetrics, DataReading.NONE);
  }

  /** Regression outputs, if any, are measured by {@link ErrorMetric#DISTANCE}. */
  public Dataset(String name, List<Integer> shape, int classes, Samples train, Samples test) {
    this(
        name,
        shape,
        classes,
        train,
        test,
        train.targets().isPresent() ? List.of(ErrorMetric.DISTANCE) : List.of());
  }

  /** The same samples with the names of their classes, in the order of the labels. */
  public Dataset named(String... classNames) {
    return read(DataReading.ofClasses(List.of(classNames)));
  }

  /** The same samples with what is known about their files. */
  public Dataset read(DataReading how) {
    return DatasetBuilder.from(this).reading(how).build();
  }

  /** The name of a class, or its number if it has no name. */
  public String className(int label) {
    List<String> names = reading.task().classes();
    return names.isEmpty() ? Integer.toString(label) : names.get(label);
  }

  private static Optional<Integer> width(Optional<Features> targets) {
    return targets.map(Features::width);
  }

  public Task task() {
    return train.targets().isPresent() ? Task.REGRESSION : Task.CLASSIFICATION;
  }

  /** Values that a model outputs: a score for each class, or the regression targets. */
  public int outputs() {
    return width(train.targets()).orElse(classes);
  }

  public int width() {
    return train.features().width();
  }
}
