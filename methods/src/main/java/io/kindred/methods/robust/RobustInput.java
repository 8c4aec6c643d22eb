package io.kindred.methods.robust;

import io.kindred.core.peer.Observation.MixedModel.Treatment;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.VectorKernels;
import io.kindred.core.weights.Weights;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The models of one mixture, with the coefficients of the method.
 *
 * @param own the own model; empty on a server, which has none
 * @param update the own model before and after the last training; empty on a server
 * @param bases models that the others may have been trained from, where there is no own model: the
 *     models that a server sent
 * @param others the received models, at least one
 */
public record RobustInput(
    Optional<MixturePart> own,
    Optional<Update> update,
    List<Weights> bases,
    List<MixturePart> others) {
  /** The own model before and after training. */
  public record Update(Weights from, Weights to) {}

  public RobustInput {
    bases = List.copyOf(bases);
    others = List.copyOf(others);
    if (others.isEmpty()) {
      throw new IllegalArgumentException("a robust mixture needs a received model");
    }
  }

  /** The own model, if there is one, and then the others. */
  List<MixturePart> all() {
    List<MixturePart> all = new ArrayList<>(own.stream().toList());
    all.addAll(others);
    return all;
  }

  List<Weights> allWeights() {
    return all().stream().map(MixturePart::weights).toList();
  }

  /**
   * What distances are measured from: the own model; on a server the model it sent that is nearest
   * to the coordinate-wise median of the received models, or else that median.
   */
  Weights reference() {
    if (own.isPresent()) {
      return own.get().weights();
    }
    Weights median = SortedCoordinates.median(allWeights());
    Weights nearest = median;
    double least = Double.POSITIVE_INFINITY;
    for (Weights base : bases) {
      double distance = distance(base, median);
      if (distance < least) {
        least = distance;
        nearest = base;
      }
    }
    return nearest;
  }

  static double distance(Weights one, Weights other) {
    Weights step = VectorKernels.minus(one, other);
    return Math.sqrt(VectorKernels.dot(step, step));
  }

  /** The distance of each other model from a model; not finite where its square leaves a float. */
  double[] distancesFrom(Weights center) {
    return others.stream().mapToDouble(each -> distance(each.weights(), center)).toArray();
  }

  /**
   * The linear mixture in which each other model counts with its coefficient times a factor. What a
   * factor below one takes from a model goes to the own model, or to the reference.
   */
  RobustMixture withFactors(Weights reference, double[] factors) {
    List<MixturePart> parts = new ArrayList<>();
    List<RobustMixture.Contribution> contributions = new ArrayList<>();
    double left = own.map(MixturePart::coefficient).orElse(0.0);
    for (int i = 0; i < factors.length; i++) {
      MixturePart other = others.get(i);
      double kept = other.coefficient() * factors[i];
      left += other.coefficient() - kept;
      if (kept > 0) {
        parts.add(new MixturePart(other.weights(), kept));
      }
      contributions.add(
          new RobustMixture.Contribution(
              kept,
              factors[i] == 0
                  ? Treatment.DROPPED
                  : factors[i] < 1 ? Treatment.SHORTENED : Treatment.FULL));
    }
    if (left > 0 || parts.isEmpty()) {
      parts.addFirst(new MixturePart(reference, left));
    }
    return new RobustMixture(VectorKernels.mix(new Mixture(parts)), contributions);
  }

  /** The mixture with these shares of all models, the own one first; the shares sum to one. */
  RobustMixture withShares(double[] shares) {
    List<MixturePart> all = all();
    List<MixturePart> parts = new ArrayList<>();
    for (int i = 0; i < shares.length; i++) {
      if (shares[i] > 0) {
        parts.add(new MixturePart(all.get(i).weights(), shares[i]));
      }
    }
    List<RobustMixture.Contribution> contributions = new ArrayList<>();
    for (int i = all.size() - others.size(); i < shares.length; i++) {
      contributions.add(
          new RobustMixture.Contribution(
              shares[i], shares[i] == 0 ? Treatment.DROPPED : Treatment.FULL));
    }
    return new RobustMixture(VectorKernels.mix(new Mixture(parts)), contributions);
  }

  /** The mixture of a rule that chooses coordinate by coordinate. */
  RobustMixture coordinateWise(Weights weights) {
    double share = 1.0 / all().size();
    return new RobustMixture(
        weights,
        others.stream().map(_ -> new RobustMixture.Contribution(share, Treatment.FULL)).toList());
  }
}
