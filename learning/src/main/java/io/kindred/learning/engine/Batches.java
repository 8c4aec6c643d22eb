package io.kindred.learning.engine;

import io.kindred.core.random.RandomStream;
import java.util.Optional;

/** The rows in random order, batch after batch; each pass has an order of its own. */
final class Batches {
  private final SampleRows rows;
  private final int size;
  private final RandomStream random;
  private final Optional<PictureAugmentation> augmentation;
  private int[] order = {};
  private int nextInPass;
  private long samplesSeen;

  /** A size of zero takes all rows at once. */
  Batches(
      SampleRows rows, int size, RandomStream random, Optional<PictureAugmentation> augmentation) {
    this.rows = rows;
    this.size = size == 0 ? rows.count() : Math.min(size, rows.count());
    this.random = random;
    this.augmentation = augmentation;
  }

  int batchesPerPass() {
    return (rows.count() + size - 1) / size;
  }

  Batch next() {
    if (nextInPass == 0) {
      order = random.permutation(rows.count());
    }
    int from = nextInPass * size;
    int to = Math.min(from + size, rows.count());
    Batch.InputChange change =
        augmentation.isPresent()
            ? augmentation.get().draw(to - from, random)
            : Batch.InputChange.NONE;
    Batch batch = new Batch(rows, order, from, to, change);
    nextInPass = (nextInPass + 1) % batchesPerPass();
    samplesSeen += batch.size();
    return batch;
  }

  /** The number of samples in all batches so far; a sample counts each time. */
  long samplesSeen() {
    return samplesSeen;
  }
}
