package io.kindred.learning.partition;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import java.util.List;

/**
 * Unequal shares of the same distribution (FedSPD, appendix B.2.5): a third of the peers has small
 * shares, a third large ones, the rest the average; {@code ratio} is the ratio of large to small.
 * All samples are assigned.
 */
@Named(value = "quantity", summary = "unequal shares of one distribution: small, average and large")
public record Quantity(
    @Setting(
            doc = "ratio between the largest and the smallest share",
            fallback = "3",
            min = 1,
            max = 1e6)
        double ratio)
    implements LabelPartition {
  @Override
  public List<Ints> assign(Ints labels, int classes, int peers, RandomStream random) {
    int[] sizes = ShareSizes.imbalanced(labels.size(), peers, ratio, random);
    int[] order = random.permutation(labels.size());
    List<IndexList> shares = IndexList.emptyLists(peers);
    int next = 0;
    for (int peer = 0; peer < peers; peer++) {
      for (int i = 0; i < sizes[peer]; i++) {
        shares.get(peer).add(order[next++]);
      }
    }
    return IndexList.sorted(shares);
  }
}
