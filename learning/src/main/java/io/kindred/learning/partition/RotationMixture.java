package io.kindred.learning.partition;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import java.util.Arrays;
import java.util.Optional;

/**
 * A mixture of two distributions (FedSPD, appendix B.1.1): half of the samples are turned by 90
 * degrees, and each peer draws what part of its samples is turned. The ground truth of a sample is
 * whether it is turned; half of each class of the common test set is turned. All samples are handed
 * out.
 */
@Named(
    value = "rotation-mixture",
    summary = "half of the pictures turned by 90 degrees, each peer with its own part of these")
public record RotationMixture(
    @Setting(doc = "smallest part of turned samples", fallback = "0.1", min = 0, max = 1)
        double least,
    @Setting(doc = "largest part of turned samples", fallback = "0.9", min = 0, max = 1)
        double most,
    @Setting(
            doc = "how many times as much as the least the richest peers hold (FedSPD, B.2.5)",
            fallback = "1",
            min = 1,
            max = 1e6)
        double ratio)
    implements Partition {
  public RotationMixture {
    TwoPools.requireBounds(least, most);
  }

  @Override
  public PartitionResult divide(SamplePool pool, int peers, RandomStream random) {
    int[] sizes = ShareSizes.imbalanced(pool.count(), peers, ratio, random);
    int[] turns = randomHalf(pool.count(), random);
    return new PartitionResult(
        TwoPools.of(i -> turns[i] == 1, turns.length, least, most).deal(sizes, random),
        Optional.of(
            SampleTransformation.ofAllSamples(turns, turns.clone(), 2, peers, Ints.of(0, 1))));
  }

  /** One for half of so many places, chosen at random, and zero for the others. */
  static int[] randomHalf(int count, RandomStream random) {
    int[] chosen = new int[count];
    int[] order = random.permutation(count);
    Arrays.stream(order, 0, count / 2).forEach(i -> chosen[i] = 1);
    return chosen;
  }
}
