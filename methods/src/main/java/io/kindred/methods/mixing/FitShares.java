package io.kindred.methods.mixing;

import io.kindred.core.compute.PureFunction;
import io.kindred.core.config.Named;
import io.kindred.core.weights.Floats;
import java.util.List;

/** {@link ExpectationMaximization} as work for a ticket. */
@Named("mixing/fit-shares")
public record FitShares(
    List<Floats> losses, List<Double> prior, int maxIterations, double tolerance)
    implements PureFunction {
  /** Operations of one likelihood: an exponential and the arithmetic around it. */
  private static final long OPERATIONS_A_LIKELIHOOD = 30;

  /** The fitted shares, and the responsibility of each component for each sample. */
  @Named("mixing/fitted-shares")
  public record Fitted(List<Double> shares, List<Floats> responsibilities, int iterations)
      implements Answer {}

  public FitShares {
    losses = List.copyOf(losses);
    prior = List.copyOf(prior);
  }

  @Override
  public Answer apply() {
    ExpectationMaximization.Fit fit =
        ExpectationMaximization.fit(losses, prior, maxIterations, tolerance);
    return new Fitted(
        fit.shares(),
        ExpectationMaximization.responsibilities(losses, fit.shares()),
        fit.iterations());
  }

  @Override
  public long operations() {
    return OPERATIONS_A_LIKELIHOOD * losses.size() * losses.getFirst().size();
  }
}
