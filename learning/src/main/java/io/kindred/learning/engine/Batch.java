package io.kindred.learning.engine;

/** The rows {@code order[from]} to {@code order[to - 1]}: the samples of one training step. */
public final class Batch {
  private final SampleRows rows;
  private final int[] order;
  private final int from;
  private final int to;

  /** Shares the order, which must not change while the batch is in use. */
  public Batch(SampleRows rows, int[] order, int from, int to) {
    this.rows = rows;
    this.order = order;
    this.from = from;
    this.to = to;
  }

  public int size() {
    return to - from;
  }

  public SampleRows rows() {
    return rows;
  }

  /** The row index of a sample. */
  public int row(int sample) {
    return order[from + sample];
  }

  public float weight(int sample) {
    return rows.weight(row(sample));
  }

  /** Writes the sample's inputs as floats. */
  public void copyFeatures(int sample, float[] into, int offset) {
    rows.copyFeatures(row(sample), into, offset);
  }
}
