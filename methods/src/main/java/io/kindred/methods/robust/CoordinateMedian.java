package io.kindred.methods.robust;

import io.kindred.core.config.Named;

/**
 * The coordinate-wise median of all models, the own one among them (Yin et al., 2018,
 * "Byzantine-robust distributed learning: towards optimal statistical rates", definition 1). Every
 * model counts once, whatever its coefficient.
 */
@Named(value = "median", summary = "coordinate-wise median of all models")
public record CoordinateMedian() implements RobustRule {
  @Override
  public RobustMixture mix(RobustInput input) {
    return input.coordinateWise(SortedCoordinates.median(input.allWeights()));
  }

  @Override
  public long operations(int models, long weights) {
    return (long) models * models * weights;
  }
}
