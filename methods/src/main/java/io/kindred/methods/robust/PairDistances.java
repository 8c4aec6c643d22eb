package io.kindred.methods.robust;

import io.kindred.core.weights.VectorKernels;
import io.kindred.core.weights.Weights;
import java.util.List;

/**
 * The products of all pairs of models, measured from the first one. Squared distances and Weiszfeld
 * steps follow from them without another pass over the weights.
 */
final class PairDistances {
  private final double[][] products;

  PairDistances(List<Weights> models) {
    int count = models.size();
    products = new double[count][count];
    Weights center = models.getFirst();
    List<Weights> steps = models.stream().map(each -> VectorKernels.minus(each, center)).toList();
    for (int i = 1; i < count; i++) {
      for (int j = 1; j <= i; j++) {
        products[i][j] = VectorKernels.dot(steps.get(i), steps.get(j));
        products[j][i] = products[i][j];
      }
    }
  }

  /** The square of a distance; infinite where it exceeds the range of a float. */
  double square(int one, int other) {
    double square = products[one][one] - 2 * products[one][other] + products[other][other];
    return Double.isFinite(square) ? Math.max(0, square) : Double.POSITIVE_INFINITY;
  }

  boolean isFinite(int model) {
    return Double.isFinite(products[model][model]);
  }

  /** The square of the distance of a model from the weighted mean with these shares. */
  double squareFromMean(int model, double[] shares) {
    double square = products[model][model];
    for (int i = 0; i < shares.length; i++) {
      if (shares[i] > 0) {
        square -= 2 * shares[i] * products[i][model];
        for (int j = 0; j < shares.length; j++) {
          square += shares[j] > 0 ? shares[i] * shares[j] * products[i][j] : 0;
        }
      }
    }
    return Math.max(0, square);
  }
}
