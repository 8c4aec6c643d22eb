package io.kindred.learning.data.text;

import io.kindred.learning.data.Features;
import java.util.Arrays;
import java.util.List;

/** Samples whose values are nearly all zero: only the other values are stored. */
final class SparseFeatures implements Features {
  /** Columns in rising order, and the value in each. */
  static final class Row {
    private final int[] columns;
    private final float[] values;

    Row(int[] columns, float[] values) {
      this.columns = columns;
      this.values = values;
    }

    boolean isEmpty() {
      return columns.length == 0;
    }
  }

  private final List<Row> rows;
  private final int width;

  SparseFeatures(List<Row> rows, int width) {
    this.rows = List.copyOf(rows);
    this.width = width;
  }

  @Override
  public int count() {
    return rows.size();
  }

  @Override
  public int width() {
    return width;
  }

  @Override
  public void copy(int sample, float[] into, int offset) {
    Arrays.fill(into, offset, offset + width, 0);
    Row row = rows.get(sample);
    for (int i = 0; i < row.columns.length; i++) {
      into[offset + row.columns[i]] = row.values[i];
    }
  }
}
