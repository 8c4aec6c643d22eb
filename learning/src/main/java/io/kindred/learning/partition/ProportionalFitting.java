package io.kindred.learning.partition;

import java.util.Arrays;

/**
 * Fits a table of peers by classes to given sums of both: as many samples as each peer is to have,
 * as many as each class has. Iterative proportional fitting, which among all tables with these sums
 * finds the one closest to the wanted table in relative entropy; then whole numbers.
 */
final class ProportionalFitting {
  /** Cells this small beside a row of one still let a table fit, but carry next to nothing. */
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

  /** The sums of rows and columns are the same total; each is met exactly. */
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
    // Down only: after it no row and no column has too much, and what lacks is filled up below.
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

  /** Rounds down, then gives what rows still lack to where most was cut off. */
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
        int gift = cells[row][column] > counts[row][column] + MIN_CELL ? 1 : rows[row];
        gift = Math.min(gift, columns[column]);
        counts[row][column] += gift;
        rows[row] -= gift;
        columns[column] -= gift;
      }
    }
    return counts;
  }

  /** Of the columns that have something left, the one of which this row got least for its wish. */
  private int mostUnderfilled(double[] wishes, int[] got) {
    int best = -1;
    for (int column = 0; column < columns.length; column++) {
      if (columns[column] > 0
          && (best < 0 || wishes[column] - got[column] > wishes[best] - got[best])) {
        best = column;
      }
    }
    return best;
  }
}
