package io.kindred.learning.partition;

import io.kindred.core.weights.Ints;
import java.util.List;
import java.util.Optional;

/**
 * Who gets what. Shares are indices in ascending order: of the samples themselves or, where the
 * partition also changes samples, of the rows of its {@link SampleTransformation}.
 */
public record PartitionResult(List<Ints> shares, Optional<SampleTransformation> transformation) {
  public PartitionResult {
    shares = List.copyOf(shares);
  }

  /** Samples as they are. */
  public static PartitionResult ofShares(List<Ints> shares) {
    return new PartitionResult(shares, Optional.empty());
  }
}
