package io.kindred.methods.rounds;

import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import java.util.ArrayList;
import java.util.List;

/** Mixtures of a peer's own model with received models; coefficients sum to one. */
public final class Mixtures {
  private Mixtures() {}

  /** 1 / (1 + larger degree of the two) for each neighbour, the rest for the own model. */
  public static Mixture metropolis(Weights own, int slot, RoundUpdates updates) {
    List<MixturePart> parts = new ArrayList<>();
    double given = 0;
    for (ReceivedUpdate update : updates.updates()) {
      for (SlotModel model : update.update().models()) {
        if (model.slot() == slot) {
          double share = 1.0 / (1 + Math.max(updates.degree(), update.degree()));
          parts.add(new MixturePart(model.weights(), share));
          given += share;
        }
      }
    }
    parts.addFirst(new MixturePart(own, 1 - given));
    return new Mixture(parts);
  }

  /** The mean of all models, weighted by the samples that they were trained on. */
  static Mixture bySamples(Weights own, int slot, RoundUpdates updates) {
    List<SlotModel> models = updates.models(slot);
    double all = updates.ownSamples() + models.stream().mapToDouble(SlotModel::share).sum();
    if (all <= 0) {
      return mean(own, models.stream().map(SlotModel::weights).toList());
    }
    List<MixturePart> parts = new ArrayList<>();
    parts.add(new MixturePart(own, updates.ownSamples() / all));
    models.forEach(model -> parts.add(new MixturePart(model.weights(), model.share() / all)));
    return new Mixture(parts);
  }

  /** The mean of the own model and of others. */
  public static Mixture mean(Weights own, List<Weights> others) {
    return mean(own, 1, others);
  }

  /** The mean of other models and of an own model that is itself a mean of {@code models} ones. */
  public static Mixture mean(Weights own, int models, List<Weights> others) {
    double all = models + others.size();
    List<MixturePart> parts = new ArrayList<>();
    parts.add(new MixturePart(own, models / all));
    others.forEach(other -> parts.add(new MixturePart(other, 1 / all)));
    return new Mixture(parts);
  }
}
