package io.kindred.runtime.config;

import io.kindred.core.config.Setting;

/**
 * How the results of a grid are laid out: which swept key runs down, which across, and what a cell
 * shows.
 */
public record TableShape(
    @Setting(doc = "key whose values are the rows", fallback = "method") String rows,
    @Setting(
            doc = "key whose values are the columns; without one, the default comparison is shown",
            fallback = "''")
        String columns,
    @Setting(
            doc = "figure of summary.json that a cell shows, as mean and deviation over seeds",
            fallback = "accuracy.local.mean")
        String cell) {
  /** The same figure with the rows as columns, for a grid without columns. */
  public TableShape transposed() {
    return new TableShape("", rows, cell);
  }
}
