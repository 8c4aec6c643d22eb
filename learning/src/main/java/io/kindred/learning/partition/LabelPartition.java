package io.kindred.learning.partition;

import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import java.util.List;

/** A partition that uses only labels and does not transform samples. */
interface LabelPartition extends Partition {
  /** The indices of each peer's samples, in ascending order. */
  List<Ints> assign(Ints labels, int classes, int peers, RandomStream random);

  @Override
  default PartitionResult divide(SamplePool pool, int peers, RandomStream random) {
    return PartitionResult.ofShares(assign(pool.labels(), pool.classes(), peers, random));
  }
}
