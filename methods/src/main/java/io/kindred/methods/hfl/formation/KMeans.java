package io.kindred.methods.hfl.formation;

import io.kindred.core.random.RandomStream;
import java.util.Arrays;

/**
 * One run of Lloyd's algorithm from starting points drawn by squared distance (Arthur and
 * Vassilvitskii, k-means++, 2007).
 *
 * @param of the number of each point's cluster
 * @param inertia the sum of squared distances to the centroids
 */
@SuppressWarnings("ArrayRecordComponent") // scratch of one computation
record KMeans(int[] of, double inertia) {
  static KMeans of(double[][] points, int count, int mostIterations, RandomStream random) {
    double[][] centroids = seeds(points, count, random);
    int[] of = new int[points.length];
    Arrays.fill(of, -1);
    for (int iteration = 0; iteration < mostIterations; iteration++) {
      if (!assign(points, centroids, of)) {
        break;
      }
      updateCentroids(points, centroids, of);
    }
    double inertia = 0;
    for (int i = 0; i < points.length; i++) {
      inertia += distance(points[i], centroids[of[i]]);
    }
    return new KMeans(of, inertia);
  }

  private static double[][] seeds(double[][] points, int count, RandomStream random) {
    double[][] centroids = new double[count][];
    centroids[0] = points[random.nextInt(points.length)].clone();
    double[] nearest = new double[points.length];
    Arrays.fill(nearest, Double.POSITIVE_INFINITY);
    for (int k = 1; k < count; k++) {
      double sum = 0;
      for (int i = 0; i < points.length; i++) {
        nearest[i] = Math.min(nearest[i], distance(points[i], centroids[k - 1]));
        sum += nearest[i];
      }
      double left = random.nextDouble() * sum;
      int chosen = 0;
      while (chosen < points.length - 1 && left >= nearest[chosen]) {
        left -= nearest[chosen++];
      }
      centroids[k] = points[chosen].clone();
    }
    return centroids;
  }

  private static boolean assign(double[][] points, double[][] centroids, int[] of) {
    boolean changed = false;
    for (int i = 0; i < points.length; i++) {
      int best = 0;
      for (int k = 1; k < centroids.length; k++) {
        best = distance(points[i], centroids[k]) < distance(points[i], centroids[best]) ? k : best;
      }
      changed |= of[i] != best;
      of[i] = best;
    }
    return changed;
  }

  /** A centroid without points stays unchanged. */
  private static void updateCentroids(double[][] points, double[][] centroids, int[] of) {
    for (int k = 0; k < centroids.length; k++) {
      double[] sum = new double[centroids[k].length];
      int count = 0;
      for (int i = 0; i < points.length; i++) {
        if (of[i] == k) {
          count++;
          for (int d = 0; d < sum.length; d++) {
            sum[d] += points[i][d];
          }
        }
      }
      for (int d = 0; d < sum.length && count > 0; d++) {
        centroids[k][d] = sum[d] / count;
      }
    }
  }

  private static double distance(double[] x, double[] y) {
    double sum = 0;
    for (int d = 0; d < x.length; d++) {
      sum += (x[d] - y[d]) * (x[d] - y[d]);
    }
    return sum;
  }
}
