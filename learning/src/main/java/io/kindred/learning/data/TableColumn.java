package io.kindred.learning.data;

import java.util.List;

/**
 * What was found in one column of a table, and what became of it.
 *
 * @param reason why the column is not used; empty for a column that is used
 * @param missing cells that hold no value
 * @param distinct different values, or {@link #MANY} if there are at least so many
 * @param examples the first different values
 */
public record TableColumn(
    String name,
    Kind kind,
    Use use,
    String reason,
    int missing,
    int distinct,
    List<String> examples) {
  /** From here on different values are not counted. */
  public static final int MANY = 10_000;

  /** What the cells of a column are. */
  public enum Kind {
    NUMBER,
    CATEGORY,
    /** Words that nearly all differ, as in names and remarks. */
    TEXT,
    /** No cell has a value. */
    EMPTY
  }

  /** What a column is for. */
  public enum Use {
    INPUT,
    LABEL,
    TARGET,
    USER,
    /** The column says which rows are for training and which for the test. */
    PART,
    UNUSED
  }

  public TableColumn {
    examples = List.copyOf(examples);
  }
}
