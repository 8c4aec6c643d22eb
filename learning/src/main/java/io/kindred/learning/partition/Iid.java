package io.kindred.learning.partition;

import io.kindred.core.config.Named;
import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import java.util.List;

/** Assigns all samples in random order: equal shares, to within one, of the same distribution. */
@Named(value = "iid", summary = "equal shares, all from the same distribution")
public record Iid() implements LabelPartition {
  @Override
  public List<Ints> assign(Ints labels, int classes, int peers, RandomStream random) {
    IndexList.requireEnoughSamples(labels.size(), peers);
    int[] order = random.permutation(labels.size());
    List<IndexList> shares = IndexList.emptyLists(peers);
    for (int i = 0; i < order.length; i++) {
      shares.get(i % peers).add(order[i]);
    }
    return IndexList.sorted(shares);
  }
}
