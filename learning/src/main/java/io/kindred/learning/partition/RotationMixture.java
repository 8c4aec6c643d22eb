package io.kindred.learning.partition;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import java.util.Arrays;
import java.util.Optional;

/**
 * A mixture of two distributions (FedSPD, appendix B.1.1): half of the samples are rotated by 90
 * degrees, and each peer draws the fraction of its samples that is rotated. The ground truth of a
 * sample is whether it is rotated; half of each class of the common test set is rotated. All
 * samples are assigned.
 */
@Named(
    value = "rotation-mixture",
    summary =
        "half of the pictures are rotated by 90 degrees; each peer draws its own share"
            + " of them")
public record RotationMixture(
    @Setting(
            doc = "smallest share of rotated pictures among a peer's samples",
            fallback = "0.1",
            min = 0,
            max = 1)
        double least,
    @Setting(
            doc = "largest share of rotated pictures among a peer's samples",
            fallback = "0.9",
            min = 0,
            max = 1)
        double most,
    @Setting(
            doc =
                "ratio between the largest and the smallest peer's number of samples (FedSPD,"
                    + " B.2.5)",
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

  /** An array with one at a random half of the positions and zero at the others. */
  static int[] randomHalf(int count, RandomStream random) {
    int[] chosen = new int[count];
    int[] order = random.permutation(count);
    Arrays.stream(order, 0, count / 2).forEach(i -> chosen[i] = 1);
    return chosen;
  }
}
