package io.kindred.learning.data.own;

import java.util.List;

/** Inputs and classes of a task as a sample of data suggests them. */
public record TaskSuggestion(TaskInputs inputs, List<String> classes) {
  public TaskSuggestion {
    classes = List.copyOf(classes);
  }
}
