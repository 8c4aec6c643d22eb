package io.kindred.learning.engine.jvm;

import static io.kindred.learning.engine.jvm.Lanes.BLOCK_SIZE;

/** Converts between rows of samples and the blocks of {@link Lanes}. */
final class Transposition {
  private Transposition() {}

  /** Reads whole blocks: rows beyond the last sample become lanes without a sample. */
  static void toBlocks(float[] rows, float[] blocks, int blockCount, int features) {
    for (int block = 0; block < blockCount; block++) {
      int at = block * BLOCK_SIZE * features;
      // Four rows at a time, so that reads and writes stay in few cache lines.
      for (int lane = 0; lane < BLOCK_SIZE; lane += 4) {
        int a = at + lane * features;
        int b = a + features;
        int c = b + features;
        int d = c + features;
        for (int i = 0; i < features; i++) {
          int to = at + lane + i * BLOCK_SIZE;
          blocks[to] = rows[a + i];
          blocks[to + 1] = rows[b + i];
          blocks[to + 2] = rows[c + i];
          blocks[to + 3] = rows[d + i];
        }
      }
    }
  }

  /** Writes whole blocks: lanes without a sample become rows beyond the last sample. */
  static void toRows(float[] blocks, float[] rows, int blockCount, int features) {
    for (int block = 0; block < blockCount; block++) {
      int at = block * BLOCK_SIZE * features;
      for (int lane = 0; lane < BLOCK_SIZE; lane += 4) {
        int a = at + lane * features;
        int b = a + features;
        int c = b + features;
        int d = c + features;
        for (int i = 0; i < features; i++) {
          int from = at + lane + i * BLOCK_SIZE;
          rows[a + i] = blocks[from];
          rows[b + i] = blocks[from + 1];
          rows[c + i] = blocks[from + 2];
          rows[d + i] = blocks[from + 3];
        }
      }
    }
  }
}
