package io.kindred.learning.engine;

/** The same values as blocks, as rows of samples instead. */
interface RowsView {
  /** Rows of whole blocks; valid until the next call. */
  float[] rows(float[] blocks, int samples);

  /** Rows made by transposing, in scratch memory that grows to the largest batch. */
  final class Transposed implements RowsView {
    private final int features;
    private float[] rows = {};

    Transposed(int features) {
      this.features = features;
    }

    @Override
    public float[] rows(float[] blocks, int samples) {
      int count = Lanes.blocks(samples);
      rows = Lanes.atLeast(rows, count * Lanes.COUNT * features);
      Transposition.toRows(blocks, rows, count, features);
      return rows;
    }
  }
}
