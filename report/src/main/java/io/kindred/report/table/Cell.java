package io.kindred.report.table;

/** What stands in one place of a table. */
public sealed interface Cell {
  /** Words, with nothing to compare. */
  record Text(String text) implements Cell {}

  /**
   * A number; mean and deviation where it was measured more than once.
   *
   * @param tied whether chance alone could set it apart from the column's best
   */
  record Measured(Spread value, boolean tied) implements Cell {}

  /** Nothing known: shown as a dash, never as zero. */
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
