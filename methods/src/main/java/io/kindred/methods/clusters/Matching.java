package io.kindred.methods.clusters;

import io.kindred.core.settings.Named;
import io.kindred.core.weights.Flat;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.Weights;
import io.kindred.core.work.PureFunction;
import java.util.List;

/**
 * Finds which of the own centers each received one belongs to, by cosine: two peers may have given
 * the same cluster different numbers (FedSPD, section 6, after Stephens, 2000).
 */
@Named("clusters/matching")
record Matching(List<Weights> own, List<Weights> received) implements PureFunction {
  Matching {
    own = List.copyOf(own);
    received = List.copyOf(received);
  }

  /** The own slot of each received center. */
  @Named("clusters/matched")
  record Matched(Ints slots) implements PureFunction.Answer {}

  @Override
  public Matched apply() {
    return new Matched(Ints.wrap(received.stream().mapToInt(this::closest).toArray()));
  }

  private int closest(Weights center) {
    int best = 0;
    double most = Double.NEGATIVE_INFINITY;
    for (int slot = 0; slot < own.size(); slot++) {
      double cosine = Flat.cosine(own.get(slot), center);
      if (cosine > most) {
        most = cosine;
        best = slot;
      }
    }
    return best;
  }

  @Override
  public long operations() {
    return 6L * own.getFirst().size() * own.size() * received.size();
  }
}
