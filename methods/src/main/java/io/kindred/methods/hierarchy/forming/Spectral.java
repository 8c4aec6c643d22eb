package io.kindred.methods.hierarchy.forming;

import io.kindred.core.random.RandomStream;
import java.util.Arrays;

/**
 * Spectral clustering of clients: the eigenvectors of the normalized Laplacian of how alike they
 * are, and the best of several k-means in the space that these span (von Luxburg, A Tutorial on
 * Spectral Clustering, 2007, after Shi and Malik).
 */
public final class Spectral {
  private static final int TRIES = 20;
  private static final int MOST_ITERATIONS = 300;

  private Spectral() {}

  /** Benchmark A (section 5.4.1): alike in time and in similarity to everybody. */
  static double[][] similarity(Situation situation, SpectralRule rule) {
    double[][] cosines = cosines(situation);
    double[] times = times(situation, rule);
    return matrix(
        times.length,
        (i, j) -> {
          double time = times[i] - times[j];
          double squares = time * time + squares(cosines[i], cosines[j]);
          return StrictMath.exp(-Math.sqrt(squares) / (2 * rule.sigma() * rule.sigma()));
        });
  }

  /** Benchmark A+ (section 5.4.2): alike in time, unlike in direction. */
  static double[][] adapted(Situation situation, SpectralRule rule) {
    double[] times = times(situation, rule);
    double width = 2 * rule.sigmaTime() * rule.sigmaTime();
    double[][] unlike = unlikeness(situation, rule);
    return matrix(
        times.length,
        (i, j) -> StrictMath.exp(-Math.abs(times[i] - times[j]) / width) + unlike[i][j]);
  }

  /** The reverse of similarity: the more two differ, the more they belong together. */
  static double[][] unlikeness(Situation situation, SpectralRule rule) {
    double[][] cosines = cosines(situation);
    double width = 2 * rule.sigmaFeature() * rule.sigmaFeature();
    return matrix(
        cosines.length,
        (i, j) -> StrictMath.exp(Math.sqrt(squares(cosines[i], cosines[j])) / width));
  }

  private interface Entry {
    double of(int i, int j);
  }

  private static double[][] matrix(int size, Entry entry) {
    double[][] matrix = new double[size][size];
    for (int i = 0; i < size; i++) {
      for (int j = 0; j <= i; j++) {
        matrix[i][j] = entry.of(i, j);
        matrix[j][i] = matrix[i][j];
      }
    }
    return matrix;
  }

  private static double[][] cosines(Situation situation) {
    Gram gram = new Gram(situation.features());
    return matrix(gram.size(), gram::cosine);
  }

  private static double[] times(Situation situation, SpectralRule rule) {
    double mean = Arrays.stream(situation.computing()).average().orElse(0);
    double unit = rule.unitSeconds() > 0 ? rule.unitSeconds() : mean;
    return Arrays.stream(situation.computing())
        .map(seconds -> unit > 0 ? seconds / unit : 0)
        .toArray();
  }

  private static double squares(double[] x, double[] y) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      sum += (x[i] - y[i]) * (x[i] - y[i]);
    }
    return sum;
  }

  /** The number of each one's cluster, given how alike any two are. */
  public static int[] clusters(double[][] similarity, int count, RandomStream random) {
    double[][] places = embedding(similarity, count);
    int[] best = new int[places.length];
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < TRIES; i++) {
      KMeans found = KMeans.of(places, count, MOST_ITERATIONS, random);
      if (found.inertia() < least) {
        least = found.inertia();
        best = found.of();
      }
    }
    return best;
  }

  /**
   * Everybody's coordinates: the first eigenvectors of I - D^-1/2 G D^-1/2, divided by the root of
   * the degree. What one is to oneself does not count.
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
    double[][] vectors = Eigen.of(laplacian).vectors();
    double[][] places = new double[size][Math.min(count, size)];
    for (int i = 0; i < size; i++) {
      for (int k = 0; k < places[i].length; k++) {
        places[i][k] = vectors[k][i] / roots[i];
      }
    }
    return places;
  }
}
