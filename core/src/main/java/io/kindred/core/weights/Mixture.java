package io.kindred.core.weights;

import java.util.List;

/** A weighted sum of weight vectors, not yet computed. */
public record Mixture(List<MixturePart> parts) {
  public Mixture {
    parts = List.copyOf(parts);
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a mixture needs at least one part");
    }
  }

  public static Mixture of(Weights weights) {
    return new Mixture(List.of(new MixturePart(weights, 1)));
  }

  /** Equal shares that sum to one. */
  public static Mixture mean(List<Weights> weights) {
    double share = 1.0 / weights.size();
    return new Mixture(weights.stream().map(each -> new MixturePart(each, share)).toList());
  }
}
