package io.kindred.methods.hfl.formation;

import io.kindred.core.random.RandomStream;
import java.util.Arrays;

/**
 * Spectral clustering of clients: the eigenvectors of the normalized Laplacian of their
 * similarities, and the best of several k-means runs in the space that these span (von Luxburg, A
 * Tutorial on Spectral Clustering, 2007, after Shi and Malik).
 */
public final class SpectralClustering {
  private static final int RESTARTS = 20;
  private static final int MAX_ITERATIONS = 300;

  private SpectralClustering() {}

  /** Benchmark A (section 5.4.1): similar in time and in similarities to all clients. */
  static double[][] similarity(FormationInput input, SpectralSettings rule) {
    double[][] cosines = cosines(input);
    double[] times = normalizedTimes(input, rule);
    return matrix(
        times.length,
        (i, j) -> {
          double time = times[i] - times[j];
          double squares = time * time + squaredDistance(cosines[i], cosines[j]);
          return StrictMath.exp(-Math.sqrt(squares) / (2 * rule.sigma() * rule.sigma()));
        });
  }

  /** Benchmark A+ (section 5.4.2): similar in time, dissimilar in direction. */
  static double[][] adaptedSimilarity(FormationInput input, SpectralSettings rule) {
    double[] times = normalizedTimes(input, rule);
    double width = 2 * rule.sigmaTime() * rule.sigmaTime();
    double[][] dissimilar = dissimilarity(input, rule);
    return matrix(
        times.length,
        (i, j) -> StrictMath.exp(-Math.abs(times[i] - times[j]) / width) + dissimilar[i][j]);
  }

  /** The reverse of similarity: the more two clients differ, the more they belong together. */
  static double[][] dissimilarity(FormationInput input, SpectralSettings rule) {
    double[][] cosines = cosines(input);
    double width = 2 * rule.sigmaFeature() * rule.sigmaFeature();
    return matrix(
        cosines.length,
        (i, j) -> StrictMath.exp(Math.sqrt(squaredDistance(cosines[i], cosines[j])) / width));
  }

  private interface MatrixEntry {
    double of(int i, int j);
  }

  private static double[][] matrix(int size, MatrixEntry matrixEntry) {
    double[][] matrix = new double[size][size];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j <= i; j++) {
        matrix[i][j] = matrixEntry.of(i, j);
        matrix[j][i] = matrix[i][j];
      }
    }
    return matrix;
  }

  private static double[][] cosines(FormationInput input) {
    GramMatrix gramMatrix = new GramMatrix(input.features());
    return matrix(gramMatrix.size(), gramMatrix::cosine);
  }

  private static double[] normalizedTimes(FormationInput input, SpectralSettings rule) {
    double mean = Arrays.stream(input.computeSeconds()).average().orElse(0);
    double unit = rule.unitSeconds() > 0 ? rule.unitSeconds() : mean;
    return Arrays.stream(input.computeSeconds())
        .map(seconds -> unit > 0 ? seconds / unit : 0)
        .toArray();
  }

  private static double squaredDistance(double[] x, double[] y) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      sum += (x[i] - y[i]) * (x[i] - y[i]);
    }
    return sum;
  }

  /** The cluster number of each client, given the similarity of any two. */
  public static int[] clusters(double[][] similarity, int count, RandomStream random) {
    double[][] points = embedding(similarity, count);
    int[] best = new int[points.length];
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < RESTARTS; i++) {
      KMeans found = KMeans.of(points, count, MAX_ITERATIONS, random);
      if (found.inertia() < least) {
        least = found.inertia();
        best = found.of();
      }
    }
    return best;
  }

  /**
   * The coordinates of all clients: the first eigenvectors of I - D^-1/2 G D^-1/2, divided by the
   * root of the degree. A client's similarity to itself does not count.
   */
  static double[][] embedding(double[][] similarity, int count) {
    int size = similarity.length;
    double[] roots = new double[size];
    for (int i = 0; i < size; i++) {
      double degree = Arrays.stream(similarity[i]).sum() - similarity[i][i];
      roots[i] = degree > 0 ? Math.sqrt(degree) : 1;
    }
    double[][] laplacian =
        matrix(size, (i, j) -> i == j ? 1 : -similarity[i][j] / (roots[i] * roots[j]));
    double[][] vectors = EigenDecomposition.of(laplacian).vectors();
    double[][] points = new double[size][Math.min(count, size)];
    for (int i = 0; i < size; i++) {
      for (int k = 0; k < points[i].length; k++) {
        points[i][k] = vectors[k][i] / roots[i];
      }
    }
    return points;
  }
}
