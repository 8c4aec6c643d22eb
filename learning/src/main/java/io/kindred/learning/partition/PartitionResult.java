package io.kindred.learning.partition;

import io.kindred.core.weights.Ints;
import java.util.List;
import java.util.Optional;

/**
 * The share of each peer. Shares are indices in ascending order: of the samples themselves or, if
 * the partition also transforms samples, of the rows of its {@link SampleTransformation}.
 */
public record PartitionResult(List<Ints> shares, Optional<SampleTransformation> transformation) {
  public PartitionResult {
    shares = List.copyOf(shares);
  }

  /** A result without transformed samples. */
  public static PartitionResult ofShares(List<Ints> shares) {
    return new PartitionResult(shares, Optional.empty());
  }
}
