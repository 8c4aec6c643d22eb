package io.kindred.methods.robust;

import io.kindred.core.config.Named;
import java.util.Arrays;

/** The mixture as the method computes it. */
@Named(value = "none", summary = "mixes as the method does by itself")
public record AsPublished() implements RobustRule {
  @Override
  public RobustMixture mix(RobustInput input) {
    double[] factors = new double[input.others().size()];
    Arrays.fill(factors, 1);
    return input.withFactors(
        input.own().orElseGet(() -> input.others().getFirst()).weights(), factors);
  }
}
