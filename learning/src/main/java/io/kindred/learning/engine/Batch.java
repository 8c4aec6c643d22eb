package io.kindred.learning.engine;

/** The rows {@code order[from]} to {@code order[to - 1]}: the samples of one training step. */
public final class Batch {
  private final SampleRows rows;
  private final int[] order;
  private final int from;
  private final int to;
  private final InputChange inputChange;

  /** Changes the inputs of a sample of the batch in place, each time in the same way. */
  @FunctionalInterface
  interface InputChange {
    InputChange NONE = (_, _, _) -> {};

    void apply(int sample, float[] values, int offset);
  }

  /** Shares the order, which must not change while the batch is in use. */
  public Batch(SampleRows rows, int[] order, int from, int to) {
    this(rows, order, from, to, InputChange.NONE);
  }

  Batch(SampleRows rows, int[] order, int from, int to, InputChange inputChange) {
    this.rows = rows;
    this.order = order;
    this.from = from;
    this.to = to;
    this.inputChange = inputChange;
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
    inputChange.apply(sample, into, offset);
  }
}
