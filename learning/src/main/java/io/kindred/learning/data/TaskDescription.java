package io.kindred.learning.data;

import io.kindred.core.record.Buildable;
import java.util.List;
import java.util.Optional;

/**
 * What the values and labels of a data set mean. Files that are read with an existing description
 * give the same task: the same classes in the same order, the same columns, the same scaling.
 *
 * @param classes names in the order of the labels; empty if the classes have only numbers
 * @param scales one for each group of neighbouring values: one for all pixels of pictures, one for
 *     each band of sounds, one for each input of tables; empty if nothing is scaled
 * @param columns the columns of a table in the order of the inputs; empty for other data
 * @param words the words of texts in the order of the inputs; empty for other data
 * @param targets the names of the columns that a regression predicts; empty for classification
 * @param targetScales one for each target
 */
@Buildable
public record TaskDescription(
    List<String> classes,
    List<FeatureScale> scales,
    List<InputColumn> columns,
    List<WordWeight> words,
    List<String> targets,
    List<FeatureScale> targetScales) {
  /** Nothing is known beside the numbers of the classes. */
  public static final TaskDescription NONE = ofClasses(List.of());

  public TaskDescription {
    classes = List.copyOf(classes);
    scales = List.copyOf(scales);
    columns = List.copyOf(columns);
    words = List.copyOf(words);
    targets = List.copyOf(targets);
    targetScales = List.copyOf(targetScales);
  }

  /** A classification of which only the names of the classes are known. */
  public static TaskDescription ofClasses(List<String> classes) {
    return new TaskDescription(classes, List.of(), List.of(), List.of(), List.of(), List.of());
  }

  /** A classification whose inputs are scaled. */
  public static TaskDescription of(List<String> classes, List<FeatureScale> scales) {
    return new TaskDescription(classes, scales, List.of(), List.of(), List.of(), List.of());
  }

  /**
   * The classes that labels are numbered by: those of a given task, else those that were found.
   *
   * @throws DamagedDataException when a class was found that the given task does not have
   */
  public static List<String> classesOf(
      Optional<TaskDescription> given, List<String> found, String folder, String place) {
    if (given.isEmpty()) {
      return found;
    }
    List<String> known = given.get().classes();
    for (String each : found) {
      if (!known.contains(each)) {
        throw new DamagedDataException(
            folder,
            place,
            "the class '" + each + "' is not one of the task's: " + String.join(", ", known));
      }
    }
    return known;
  }
}
