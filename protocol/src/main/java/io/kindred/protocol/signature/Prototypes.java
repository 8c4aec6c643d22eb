package io.kindred.protocol.signature;

import io.kindred.core.weights.Ints;
import io.kindred.core.weights.SparseKernels;
import java.util.List;

/** Prototypes, the signatures that represent clusters (SemanticDFL, section 3.3.2). */
public final class Prototypes {
  private Prototypes() {}

  /** The largest entries of the members' mean, as many as asked for; summed in list order. */
  public static Signature of(List<Signature> members, int entries) {
    Signature first = members.getFirst();
    float[] sum = new float[first.dimension()];
    for (Signature member : members) {
      first.requireComparable(member);
      for (int i = 0; i < member.size(); i++) {
        sum[member.indices().get(i)] += member.values().get(i);
      }
    }
    for (int i = 0; i < sum.length; i++) {
      sum[i] /= members.size();
    }
    Ints indices = SparseKernels.largest(sum, Math.min(entries, sum.length));
    return Signature.of(sum.length, first.precision(), indices, Signature.gather(sum, indices));
  }
}
