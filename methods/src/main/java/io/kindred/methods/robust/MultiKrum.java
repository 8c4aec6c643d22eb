package io.kindred.methods.robust;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;

/**
 * The mean of the n - f models with the best scores of {@link Krum} (Blanchard et al., 2017,
 * section 4, Multi-Krum).
 */
@Named(
    value = "multi-krum",
    summary = "mean of the models that are nearest to their nearest models")
public record MultiKrum(
    @Setting(
            doc = "share of the models that may be hostile, rounded up; as many are left out",
            fallback = "0.2",
            min = 0,
            max = 0.5)
        double hostile)
    implements RobustRule {
  @Override
  public RobustMixture mix(RobustInput input) {
    int models = input.all().size();
    return Krum.nearest(input, hostile, models - Krum.hostileOf(models, hostile));
  }

  @Override
  public long operations(int models, long weights) {
    return (long) models * models * weights;
  }
}
