package io.kindred.methods.robust;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import java.util.Arrays;

/**
 * Clips the step towards each received model to a multiple of the length of the own update
 * (self-centred clipping: He, Karimireddy and Jaggi, 2022, "Byzantine-robust decentralized learning
 * via ClippedGossip", section 4, equation 5; on a server, which has no update of its own, the
 * median length of the received updates takes its place, as in Sun et al., 2019, "Can you really
 * backdoor federated learning?", section 4).
 */
@Named(
    value = "norm-clip",
    summary = "clips the step towards each model relative to the own update")
public record NormClip(
    @Setting(
            doc = "longest step towards a model, as a multiple of the length of the own update",
            fallback = "2",
            above = 0)
        double factor)
    implements RobustRule {
  @Override
  public RobustMixture mix(RobustInput input) {
    var reference = input.reference();
    double[] distances = input.distancesFrom(reference);
    double limit =
        factor
            * input
                .update()
                .map(update -> RobustInput.distance(update.to(), update.from()))
                .filter(length -> length > 0 && Double.isFinite(length))
                .orElseGet(() -> median(distances));
    double[] factors = new double[distances.length];
    for (int i = 0; i < factors.length; i++) {
      double within = distances[i] > limit ? limit / distances[i] : 1;
      factors[i] = Double.isFinite(distances[i]) ? within : 0;
    }
    return input.withFactors(reference, factors);
  }

  /**
   * The lower of the two middle values of an even number, because hostile ones tend to be large.
   */
  private static double median(double[] distances) {
    double[] sorted = Arrays.stream(distances).filter(Double::isFinite).sorted().toArray();
    return sorted.length == 0 ? 0 : sorted[(sorted.length - 1) / 2];
  }
}
