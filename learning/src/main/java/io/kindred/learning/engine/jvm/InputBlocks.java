package io.kindred.learning.engine.jvm;

import java.util.Arrays;

/** The inputs of a batch, as rows and as blocks; scratch memory that grows to the largest batch. */
final class InputBlocks implements RowMajorView {
  private final int features;
  private float[] rows = {};
  private float[] blocks = {};

  InputBlocks(int features) {
    this.features = features;
  }

  /** The array that samples are written to, one after another, before {@code blocks}. */
  float[] prepare(int samples) {
    int size = Lanes.blocks(samples) * Lanes.BLOCK_SIZE * features;
    rows = Lanes.ensureCapacity(rows, size);
    blocks = Lanes.ensureCapacity(blocks, size);
    // A larger batch may have left values there, and lanes without a sample must stay finite.
    Arrays.fill(rows, samples * features, size, 0);
    return rows;
  }

  float[] blocks(int samples) {
    Transposition.toBlocks(rows, blocks, Lanes.blocks(samples), features);
    return blocks;
  }

  @Override
  public float[] rows(float[] same, int samples) {
    return rows;
  }
}
