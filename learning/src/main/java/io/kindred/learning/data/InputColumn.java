package io.kindred.learning.data;

import java.util.List;

/**
 * One column of a table that a model gets as input.
 *
 * @param categories the values of a column of words, in the order of its inputs; empty for numbers
 * @param filling what stands in for a missing cell: a number, or one of the categories; empty if a
 *     missing cell is refused
 */
public record InputColumn(String name, List<String> categories, String filling) {
  public InputColumn {
    categories = List.copyOf(categories);
  }

  /** Values that the column gives a model. */
  public int width() {
    return categories.isEmpty() ? 1 : categories.size();
  }
}
