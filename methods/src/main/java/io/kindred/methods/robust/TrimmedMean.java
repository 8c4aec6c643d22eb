package io.kindred.methods.robust;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;

/**
 * The coordinate-wise mean without the smallest and the largest values (Yin et al., 2018,
 * definition 2). Every model counts once, whatever its coefficient.
 */
@Named(
    value = "trimmed-mean",
    summary = "coordinate-wise mean without the smallest and largest values")
public record TrimmedMean(
    @Setting(
            doc =
                "share of the models whose values are left out at each end, rounded up; it should be"
                    + " at least the share of hostile models",
            fallback = "0.2",
            min = 0,
            max = 0.5)
        double trim)
    implements RobustRule {
  @Override
  public RobustMixture mix(RobustInput input) {
    int models = input.all().size();
    int trimmed = Math.min((int) Math.ceil(trim * models), (models - 1) / 2);
    return input.coordinateWise(SortedCoordinates.trimmedMean(input.allWeights(), trimmed));
  }

  @Override
  public long operations(int models, long weights) {
    return (long) models * models * weights;
  }
}
