package io.kindred.learning.partition;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.SettingException;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import io.kindred.learning.data.Users;
import java.util.Optional;

/**
 * A mixture of two data sets (FedSPD, appendix B.2.7): each peer draws the fraction of its samples
 * that comes from the second of them. Needs data of two origins, such as the data set {@code
 * mixture}; the ground truth of a sample is its origin. All samples are assigned.
 */
@Named(value = "mixture", summary = "two data sets; each peer draws its own proportion of both")
public record OriginMixture(
    @Setting(
            doc = "smallest share of a peer's samples from the second data set",
            fallback = "0.1",
            min = 0,
            max = 1)
        double least,
    @Setting(
            doc = "largest share of a peer's samples from the second data set",
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
  public OriginMixture {
    TwoPools.requireBounds(least, most);
  }

  @Override
  public PartitionResult divide(SamplePool pool, int peers, RandomStream random) {
    int[] origins = origins(pool);
    int[] sizes = ShareSizes.imbalanced(pool.count(), peers, ratio, random);
    return new PartitionResult(
        TwoPools.of(i -> origins[i] == 1, origins.length, least, most).deal(sizes, random),
        Optional.of(
            SampleTransformation.ofAllSamples(
                new int[origins.length], origins, 2, peers, Ints.of(0))));
  }

  private static int[] origins(SamplePool pool) {
    Optional<Users> origins = pool.users().filter(users -> users.count() == 2);
    if (origins.isEmpty()) {
      throw new SettingException(
          "partition",
          "the data set does not have two origins",
          "choose the data set 'mixture', which joins two data sets");
    }
    return origins.get().bySample().copy();
  }
}
