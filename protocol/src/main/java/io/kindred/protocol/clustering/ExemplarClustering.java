package io.kindred.protocol.clustering;

import io.kindred.core.compute.PureFunction;
import io.kindred.core.config.Named;
import io.kindred.core.weights.Ints;
import java.util.ArrayList;
import java.util.List;

/**
 * Members by number and the cluster of each. {@code exemplars} ascends; a label is a position in
 * it; {@code converged} says whether the iterations ended before their limit.
 */
@Named("overlay/clustering")
public record ExemplarClustering(Ints exemplars, Ints labels, boolean converged, int iterations)
    implements PureFunction.Answer {
  public int count() {
    return exemplars.size();
  }

  /** The members of one cluster, ascending. */
  public List<Integer> members(int cluster) {
    List<Integer> members = new ArrayList<>();
    for (int member = 0; member < labels.size(); member++) {
      if (labels.get(member) == cluster) {
        members.add(member);
      }
    }
    return members;
  }
}
