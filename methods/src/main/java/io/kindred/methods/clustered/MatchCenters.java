package io.kindred.methods.clustered;

import io.kindred.core.compute.PureFunction;
import io.kindred.core.config.Named;
import io.kindred.core.weights.Ints;
import io.kindred.core.weights.VectorKernels;
import io.kindred.core.weights.Weights;
import java.util.List;

/**
 * Finds the own center that each received center belongs to, by cosine: two peers may have numbered
 * the same cluster differently (FedSPD, section 6, after Stephens, 2000). Two received centers may
 * belong to the same own one, so this is a nearest neighbour and no assignment problem.
 */
@Named("clusters/matching")
record MatchCenters(List<Weights> own, List<Weights> received) implements PureFunction {
  MatchCenters {
    own = List.copyOf(own);
    received = List.copyOf(received);
  }

  /** The own slot of each received center. */
  @Named("clusters/matched")
  record MatchedSlots(Ints slots) implements PureFunction.Answer {}

  @Override
  public MatchedSlots apply() {
    return new MatchedSlots(Ints.wrap(received.stream().mapToInt(this::closest).toArray()));
  }

  private int closest(Weights center) {
    int best = 0;
    double most = Double.NEGATIVE_INFINITY;
    for (int slot = 0; slot < own.size(); slot++) {
      double cosine = VectorKernels.cosine(own.get(slot), center);
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
