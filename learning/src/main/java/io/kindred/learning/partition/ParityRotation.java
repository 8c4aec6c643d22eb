package io.kindred.learning.partition;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import java.util.Arrays;
import java.util.Optional;

/**
 * Different fractions of odd and even labels, and rotated pictures (FedSPD, appendix B.1.2): each
 * peer draws the fraction of its samples with odd labels, and half of all samples, whatever their
 * label and peer, is rotated by 90 degrees. That makes four distributions; the ground truth of a
 * sample is 0 for even and upright, 1 for odd and upright, 2 for even and rotated, 3 for odd and
 * rotated. Half of each class of the common test set is rotated. All samples are assigned.
 */
@Named(
    value = "parity-rotation",
    summary =
        "each peer draws its own share of odd labels; half of all pictures are rotated"
            + " by 90 degrees")
public record ParityRotation(
    @Setting(
            doc = "smallest share of odd labels among a peer's samples",
            fallback = "0.1",
            min = 0,
            max = 1)
        double least,
    @Setting(
            doc = "largest share of odd labels among a peer's samples",
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
  public ParityRotation {
    TwoPools.requireBounds(least, most);
  }

  @Override
  public PartitionResult divide(SamplePool pool, int peers, RandomStream random) {
    int[] sizes = ShareSizes.imbalanced(pool.count(), peers, ratio, random);
    int[] turns = RotationMixture.randomHalf(pool.count(), random);
    int[] clusters = new int[turns.length];
    Arrays.setAll(clusters, i -> 2 * turns[i] + pool.labels().get(i) % 2);
    return new PartitionResult(
        TwoPools.of(i -> clusters[i] % 2 == 1, pool.count(), least, most).deal(sizes, random),
        Optional.of(SampleTransformation.ofAllSamples(turns, clusters, 4, peers, Ints.of(0, 1))));
  }
}
