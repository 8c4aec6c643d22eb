package io.kindred.methods.mixing;

import io.kindred.core.weights.Floats;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Shares of a mixture whose components are models: a sample's likelihood under a component is
 * exp(-loss), and the shares are those under which the samples are most likely (Marfoq et al.,
 * 2021, and pFedWN, equations 8 to 10). In logarithms throughout, so that nothing underflows.
 */
public final class ExpectationMaximization {
  private ExpectationMaximization() {}

  /**
   * The fitted shares.
   *
   * @param shares one for each component, never negative, summing to one
   * @param iterations how many steps it took
   * @param converged whether the last step changed no share by more than the tolerance
   */
  public record Fit(List<Double> shares, int iterations, boolean converged) {
    public Fit {
      shares = List.copyOf(shares);
    }
  }

  /** Equal shares for so many components. */
  public static List<Double> uniform(int components) {
    return Collections.nCopies(components, 1.0 / components);
  }

  /**
   * The expectation step (9): how far each sample belongs to each component. A sample whose
   * likelihoods all vanish carries no information, and gets the given shares.
   *
   * @param losses a row for each component, a loss for each sample
   */
  public static List<Floats> responsibilities(List<Floats> losses, List<Double> shares) {
    int components = losses.size();
    int samples = losses.getFirst().size();
    float[][] rows = new float[components][samples];
    double[] logarithms = new double[components];
    for (int m = 0; m < components; m++) {
      logarithms[m] = StrictMath.log(shares.get(m));
    }
    double[] column = new double[components];
    for (int i = 0; i < samples; i++) {
      double largest = Double.NEGATIVE_INFINITY;
      for (int m = 0; m < components; m++) {
        double logLikelihood = logarithms[m] - losses.get(m).get(i);
        // A model whose loss is NaN explains nothing.
        column[m] = Double.isNaN(logLikelihood) ? Double.NEGATIVE_INFINITY : logLikelihood;
        largest = Math.max(largest, column[m]);
      }
      double sum = 0;
      for (int m = 0; m < components; m++) {
        column[m] =
            Double.isInfinite(largest) ? shares.get(m) : StrictMath.exp(column[m] - largest);
        sum += column[m];
      }
      for (int m = 0; m < components; m++) {
        rows[m][i] = (float) (column[m] / sum);
      }
    }
    return List.of(rows).stream().map(Floats::wrap).toList();
  }

  /** The maximization step (10): a component's share is its mean responsibility. */
  public static List<Double> shares(List<Floats> responsibilities) {
    List<Double> sums = new ArrayList<>();
    double total = 0;
    for (Floats row : responsibilities) {
      double sum = 0;
      for (int i = 0; i < row.size(); i++) {
        sum += row.get(i);
      }
      sums.add(sum);
      total += sum;
    }
    double all = total;
    // Without samples there is nothing to learn from.
    return all > 0 ? sums.stream().map(sum -> sum / all).toList() : uniform(sums.size());
  }

  /** Both steps in turn, from a prior, until no share moves by more than the tolerance. */
  public static Fit fit(
      List<Floats> losses, List<Double> prior, int mostIterations, double tolerance) {
    List<Double> shares = prior;
    for (int iteration = 1; iteration <= mostIterations; iteration++) {
      List<Double> next = shares(responsibilities(losses, shares));
      double moved = largestChange(shares, next);
      shares = next;
      if (moved <= tolerance) {
        return new Fit(shares, iteration, true);
      }
    }
    return new Fit(shares, mostIterations, false);
  }

  /** The largest change of a share. */
  public static double largestChange(List<Double> before, List<Double> after) {
    double most = 0;
    for (int m = 0; m < before.size(); m++) {
      most = Math.max(most, Math.abs(after.get(m) - before.get(m)));
    }
    return most;
  }
}
