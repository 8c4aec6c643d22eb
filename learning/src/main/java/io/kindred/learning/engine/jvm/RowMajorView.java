package io.kindred.learning.engine.jvm;

/** The values of blocks as rows of samples. */
interface RowMajorView {
  /** Rows of whole blocks; valid until the next call. */
  float[] rows(float[] blocks, int samples);

  /** Rows made by transposing, in scratch memory that grows to the largest batch. */
  final class Transposed implements RowMajorView {
    private final int features;
    private float[] rows = {};

    Transposed(int features) {
      this.features = features;
    }

    @Override
    public float[] rows(float[] blocks, int samples) {
      int count = Lanes.blocks(samples);
      rows = Lanes.ensureCapacity(rows, count * Lanes.BLOCK_SIZE * features);
      Transposition.toRows(blocks, rows, count, features);
      return rows;
    }
  }
}
