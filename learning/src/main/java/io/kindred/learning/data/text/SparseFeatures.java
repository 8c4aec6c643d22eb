package io.kindred.learning.data.text;

import io.kindred.learning.data.Features;
import java.util.Arrays;
import java.util.List;

/** Samples of which nearly all values are zero: only the others are kept. */
final class SparseFeatures implements Features {
  /** Places in rising order, and the value at each. */
  static final class Row {
    private final int[] columns;
    private final float[] values;

    Row(int[] places, float[] values) {
      this.columns = places;
      this.values = values;
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
