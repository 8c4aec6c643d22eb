package io.kindred.methods.clustered;

import io.kindred.core.compute.DataView;
import io.kindred.core.compute.Ticket;
import io.kindred.core.peer.Observation;
import io.kindred.core.weights.Floats;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.Weights;
import io.kindred.methods.contract.PeerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Helpers of methods with several models. */
final class ModelSlots {
  private ModelSlots() {}

  /** The observation of all models of a peer, made once, in the last round. */
  static List<Observation> modelsHeld(PeerContext context, int round, List<Weights> models) {
    return round == context.rounds()
        ? List.of(new Observation.ModelsHeld(round, models))
        : List.of();
  }

  static List<Weights> replace(List<Weights> models, int slot, Weights weights) {
    List<Weights> changed = new ArrayList<>(models);
    changed.set(slot, weights);
    return List.copyOf(changed);
  }

  /** The loss of every model on the peer's training samples. */
  static Ticket losses(List<Weights> models, Ticket.Detail detail) {
    return new Ticket.Losses(
        models.stream().map(Mixture::of).toList(), DataView.own(DataView.Split.TRAIN), detail);
  }

  /** The model with the lowest loss on a sample, or in the mean; the first of several. */
  static int lowestLoss(List<Floats> perModel, int sample) {
    int best = 0;
    for (int slot = 1; slot < perModel.size(); slot++) {
      // Float.compare treats NaN as larger than any number.
      if (Float.compare(perModel.get(slot).get(sample), perModel.get(best).get(sample)) < 0) {
        best = slot;
      }
    }
    return best;
  }

  /** The model with the lowest loss, sample by sample. */
  static int[] lowestLoss(List<Floats> perModel) {
    return IntStream.range(0, perModel.getFirst().size())
        .map(sample -> lowestLoss(perModel, sample))
        .toArray();
  }

  /** How large a part of the samples each slot has. */
  static double[] shares(int[] assigned, int slots) {
    double[] shares = new double[slots];
    for (int slot : assigned) {
      shares[slot] += 1.0 / assigned.length;
    }
    return shares;
  }

  /** A slot drawn with the probability of its share. */
  static int draw(double[] shares, double uniform) {
    double left = uniform;
    for (int slot = 0; slot < shares.length; slot++) {
      left -= shares[slot];
      if (left < 0) {
        return slot;
      }
    }
    return largest(shares);
  }

  static int largest(double[] shares) {
    int best = 0;
    for (int slot = 1; slot < shares.length; slot++) {
      if (shares[slot] > shares[best]) {
        best = slot;
      }
    }
    return best;
  }

  /** The models, each with its share; models with a share of zero are left out. */
  static Mixture weightedMixture(List<Weights> models, double[] shares) {
    List<MixturePart> parts = new ArrayList<>();
    for (int slot = 0; slot < shares.length; slot++) {
      if (shares[slot] > 0) {
        parts.add(new MixturePart(models.get(slot), shares[slot]));
      }
    }
    return new Mixture(parts);
  }
}
