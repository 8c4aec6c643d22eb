package io.kindred.methods.rounds;

import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.Part;
import io.kindred.core.weights.Weights;
import java.util.ArrayList;
import java.util.List;

/** Ways to mix a peer's own model with what arrived; coefficients sum to one. */
public final class Mixtures {
  private Mixtures() {}

  /** 1 / (1 + larger degree of the two) for each neighbour, the rest for the own model. */
  public static Mixture metropolis(Weights own, int slot, Exchange exchange) {
    List<Part> parts = new ArrayList<>();
    double given = 0;
    for (Arrival arrival : exchange.arrivals()) {
      for (Item item : arrival.parcel().items()) {
        if (item.slot() == slot) {
          double share = 1.0 / (1 + Math.max(exchange.degree(), arrival.degree()));
          parts.add(new Part(item.weights(), share));
          given += share;
        }
      }
    }
    parts.addFirst(new Part(own, 1 - given));
    return new Mixture(parts);
  }

  /** The mean of the own model and of others. */
  public static Mixture mean(Weights own, List<Weights> others) {
    return mean(own, 1, others);
  }

  /** The mean of others and of an own model that is itself the mean of so many. */
  public static Mixture mean(Weights own, int models, List<Weights> others) {
    double all = models + others.size();
    List<Part> parts = new ArrayList<>();
    parts.add(new Part(own, models / all));
    others.forEach(other -> parts.add(new Part(other, 1 / all)));
    return new Mixture(parts);
  }
}
