package io.kindred.learning.partition;

import io.kindred.core.random.RandomStream;
import io.kindred.core.settings.Named;
import io.kindred.core.weights.Ints;
import java.util.List;

/** Deals all samples out like cards: equal shares, to within one, of the same distribution. */
@Named(value = "iid", summary = "equal shares, all from the same distribution")
public record Iid() implements ByLabel {
  @Override
  public List<Ints> assign(Ints labels, int classes, int peers, RandomStream random) {
    Pile.requireOneEach(labels.size(), peers);
    int[] order = random.permutation(labels.size());
    List<Pile> shares = Pile.empty(peers);
    for (int i = 0; i < order.length; i++) {
      shares.get(i % peers).add(order[i]);
    }
    return Pile.sorted(shares);
  }
}
