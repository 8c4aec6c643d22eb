package io.kindred.methods.personal;

import io.kindred.core.compute.PureFunction;
import io.kindred.core.config.Named;
import io.kindred.core.weights.Mixture;
import io.kindred.core.weights.MixturePart;
import io.kindred.core.weights.VectorKernels;
import io.kindred.core.weights.Weights;
import io.kindred.methods.rounds.ServerRoundAlgorithm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Computes the shares in which models are mixed for each of their owners (Ye et al., 2023,
 * pFedGraph): those that minimize the sum of a_j d_ij plus lambda times the squared distance of a
 * to the shares of samples, where d_ij is minus the cosine of both models' differences from their
 * start. There is no cap on a share, so the projection onto the simplex solves it exactly.
 */
@Named("pfedgraph/collaboration")
public record CollaborationGraph(
    Weights start, List<Weights> models, List<Double> samples, double lambda)
    implements PureFunction {
  public CollaborationGraph {
    models = List.copyOf(models);
    samples = List.copyOf(samples);
  }

  @Override
  public Answer apply() {
    List<Weights> differences = new ArrayList<>();
    for (Weights model : models) {
      differences.add(
          VectorKernels.mix(
              new Mixture(List.of(new MixturePart(model, 1), new MixturePart(start, -1)))));
    }
    int count = models.size();
    double[][] cosines = new double[count][count];
    for (int i = 0; i < count; i++) {
      cosines[i][i] = 1;
      for (int j = 0; j < i; j++) {
        cosines[i][j] = VectorKernels.cosine(differences.get(i), differences.get(j));
        cosines[j][i] = cosines[i][j];
      }
    }
    double total = samples.stream().mapToDouble(Double::doubleValue).sum();
    List<List<Double>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double[] point = new double[count];
      for (int j = 0; j < count; j++) {
        point[j] = samples.get(j) / total + cosines[i][j] / (2 * lambda);
      }
      rows.add(Arrays.stream(projectOntoSimplex(point)).boxed().toList());
    }
    return new ServerRoundAlgorithm.MixingShares(rows);
  }

  /** The nearest point whose entries are not negative and sum to one. */
  static double[] projectOntoSimplex(double[] point) {
    double[] sorted = point.clone();
    Arrays.sort(sorted);
    double sum = 0;
    double shift = 0;
    for (int i = sorted.length - 1; i >= 0; i--) {
      sum += sorted[i];
      double candidate = (sum - 1) / (sorted.length - i);
      if (sorted[i] > candidate) {
        shift = candidate;
      }
    }
    double[] projected = new double[point.length];
    double whole = 0;
    for (int i = 0; i < point.length; i++) {
      projected[i] = Math.max(0, point[i] - shift);
      whole += projected[i];
    }
    for (int i = 0; i < projected.length; i++) {
      projected[i] /= whole;
    }
    return projected;
  }

  @Override
  public long operations() {
    return 3L * start.size() * models.size() * models.size();
  }
}
