package io.kindred.learning.partition;

import java.util.Arrays;

/**
 * Fits a table of peers by classes to given sums of both: the samples that each peer is to have and
 * the samples of each class. Iterative proportional fitting finds, among all tables with these
 * sums, the one closest to the wanted table in relative entropy; the result is then rounded to
 * integers.
 */
final class ProportionalFitting {
  /**
   * A cell this small relative to a row of one still lets a table fit, but has next to no weight.
   */
  private static final double MIN_CELL = 1e-9;

  private static final int ITERATIONS = 200;

  private final int[] rows;
  private final int[] columns;
  private final double[][] cells;

  private ProportionalFitting(double[][] wanted, int[] rows, int[] columns) {
    this.rows = rows.clone();
    this.columns = columns.clone();
    this.cells = new double[rows.length][columns.length];
    for (int row = 0; row < rows.length; row++) {
      double sum = Math.max(Arrays.stream(wanted[row]).sum(), Double.MIN_NORMAL);
      for (int column = 0; column < columns.length; column++) {
        cells[row][column] = wanted[row][column] / sum + MIN_CELL;
      }
    }
  }

  /** The sums of rows and of columns have the same total; each is met exactly. */
  static int[][] fitCounts(double[][] wanted, int[] rows, int[] columns) {
    if (Arrays.stream(rows).sum() != Arrays.stream(columns).sum()) {
      throw new IllegalArgumentException(
          Arrays.toString(rows) + " and " + Arrays.toString(columns) + " differ in their sums");
    }
    ProportionalFitting proportionalFitting = new ProportionalFitting(wanted, rows, columns);
    for (int sweep = 0; sweep < ITERATIONS; sweep++) {
      proportionalFitting.scaleColumns();
      proportionalFitting.scaleRows();
    }
    // Scales down only: after it no row and no column exceeds its sum, and rounding fills the rest.
    proportionalFitting.lowerColumns();
    return proportionalFitting.roundToIntegers();
  }

  private void scaleRows() {
    for (int row = 0; row < rows.length; row++) {
      double factor = rows[row] / Math.max(Arrays.stream(cells[row]).sum(), Double.MIN_NORMAL);
      for (int column = 0; column < columns.length; column++) {
        cells[row][column] *= factor;
      }
    }
  }

  private void scaleColumns() {
    for (int column = 0; column < columns.length; column++) {
      scaleColumn(column, columns[column] / Math.max(sum(column), Double.MIN_NORMAL));
    }
  }

  private void lowerColumns() {
    for (int column = 0; column < columns.length; column++) {
      double sum = sum(column);
      scaleColumn(column, sum > columns[column] ? columns[column] / sum : 1);
    }
  }

  private double sum(int column) {
    double sum = 0;
    for (double[] row : cells) {
      sum += row[column];
    }
    return sum;
  }

  private void scaleColumn(int column, double factor) {
    for (double[] row : cells) {
      row[column] *= factor;
    }
  }

  /**
   * Rounds down, then assigns what a row still lacks to the columns where rounding removed most.
   */
  private int[][] roundToIntegers() {
    int[][] counts = new int[rows.length][columns.length];
    for (int row = 0; row < rows.length; row++) {
      for (int column = 0; column < columns.length; column++) {
        counts[row][column] =
            (int) Math.min(cells[row][column], Math.min(rows[row], columns[column]));
        rows[row] -= counts[row][column];
        columns[column] -= counts[row][column];
      }
    }
    for (int row = 0; row < rows.length; row++) {
      while (rows[row] > 0) {
        int column = mostUnderfilled(cells[row], counts[row]);
        int increment = cells[row][column] > counts[row][column] + MIN_CELL ? 1 : rows[row];
        increment = Math.min(increment, columns[column]);
        counts[row][column] += increment;
        rows[row] -= increment;
        columns[column] -= increment;
      }
    }
    return counts;
  }

  /** The column with samples left whose count in this row is furthest below the fitted value. */
  private int mostUnderfilled(double[] fitted, int[] assigned) {
    int best = -1;
    for (int column = 0; column < columns.length; column++) {
      if (columns[column] > 0
          && (best < 0 || fitted[column] - assigned[column] > fitted[best] - assigned[best])) {
        best = column;
      }
    }
    return best;
  }
}
