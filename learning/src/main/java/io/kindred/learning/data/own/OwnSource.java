package io.kindred.learning.data.own;

import io.kindred.learning.data.DataFiles;
import java.util.List;

/** Where the data of one owner are; a record whose components are its settings. */
public interface OwnSource {
  /** The file or folder, as it is written in the configuration. */
  String location();

  /**
   * The samples in the numbers of a task. Data that do not fit the task are reported as findings,
   * not as an exception, so that an owner sees all of them at once.
   *
   * @param classes the classes of the task in the order of their numbers
   * @param labelled whether every sample must have a class of the task
   */
  OwnSamples read(TaskInputs inputs, List<String> classes, boolean labelled, DataFiles files);

  /** The inputs and classes of a task for such data. */
  TaskSuggestion suggest(DataFiles files);
}
