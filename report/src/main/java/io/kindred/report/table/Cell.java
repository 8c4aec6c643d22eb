package io.kindred.report.table;

/** The content of one table cell. */
public sealed interface Cell {
  /** Text, which is not compared. */
  record Text(String text) implements Cell {}

  /**
   * A number; mean and deviation if it was measured more than once.
   *
   * @param tied whether its difference from the column's best value could be chance
   */
  record Measured(Spread value, boolean tied) implements Cell {}

  /** An unknown value: shown as a dash, never as zero. */
  record Absent() implements Cell {}

  static Cell of(String text) {
    return text.isEmpty() ? new Absent() : new Text(text);
  }

  static Cell of(double value) {
    return of(Spread.overSeeds(value));
  }

  static Cell of(Spread value) {
    return of(value, false);
  }

  static Cell of(Spread value, boolean level) {
    return value.present() ? new Measured(value, level) : new Absent();
  }
}
