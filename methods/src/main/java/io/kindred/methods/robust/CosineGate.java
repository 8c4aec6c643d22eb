package io.kindred.methods.robust;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.weights.VectorKernels;
import io.kindred.core.weights.Weights;

/**
 * Drops models whose change points away from the own update, measured from where the own training
 * began, and shortens longer changes to the length of the own update times a factor (the trust of
 * FLTrust with the own update as the trusted one: Cao, Fang, Liu and Gong, 2021, "FLTrust:
 * Byzantine-robust federated learning via trust bootstrapping", section 4.2). What a dropped model
 * would have weighed goes to the own model. A server has no update of its own; there the direction
 * is that of the coordinate-wise median of the received models.
 */
@Named(value = "cosine-gate", summary = "drops models whose change points away from the own update")
public record CosineGate(
    @Setting(
            doc = "smallest cosine with the own update of a model that is mixed",
            fallback = "0",
            min = -1,
            max = 1)
        double least,
    @Setting(
            doc =
                "longest change of a model, as a multiple of the length of the own update; longer ones"
                    + " are shortened; 0 does not shorten",
            fallback = "3",
            min = 0)
        double factor)
    implements RobustRule {
  @Override
  public RobustMixture mix(RobustInput input) {
    Weights reference = input.reference();
    Weights from = input.update().map(RobustInput.Update::from).orElse(reference);
    Weights towards =
        input
            .update()
            .map(RobustInput.Update::to)
            .orElseGet(() -> SortedCoordinates.median(input.allWeights()));
    Weights own = VectorKernels.minus(towards, from);
    double length = Math.sqrt(VectorKernels.dot(own, own));
    double[] distances = input.distancesFrom(reference);
    double[] factors = new double[distances.length];
    for (int i = 0; i < factors.length; i++) {
      Weights change = VectorKernels.minus(input.others().get(i).weights(), from);
      double cosine = VectorKernels.cosine(change, own);
      double longest = factor * length;
      double within = longest > 0 && distances[i] > longest ? longest / distances[i] : 1;
      // Without an update of its own, a peer cannot tell the directions apart.
      boolean agrees = length == 0 || cosine >= least;
      factors[i] = Double.isFinite(distances[i]) && agrees ? within : 0;
    }
    return input.withFactors(reference, factors);
  }

  @Override
  public boolean accuses() {
    return true;
  }
}
