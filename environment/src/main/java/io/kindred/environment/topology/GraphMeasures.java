package io.kindred.environment.topology;

import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;

/** Averaging over the edges of a graph, and how fast it mixes. */
public final class GraphMeasures {
  /** Limit on the work of one power iteration, in ends of edges; about half a second. */
  static final long MAX_VISITS = 200_000_000;

  static final int MIN_STEPS = 1000;
  static final double CONVERGENCE_TOLERANCE = 1e-12;

  private GraphMeasures() {}

  /**
   * The second smallest eigenvalue of the Laplacian, zero for a disconnected graph. By power
   * iteration in the subspace orthogonal to consensus, downwards from twice the largest degree.
   */
  public static double algebraicConnectivity(Graph graph, RandomStream random) {
    double top = 2.0 * graph.neighbours().stream().mapToInt(Ints::size).max().orElse(0);
    double[] now = new double[graph.peers()];
    for (int i = 0; i < now.length; i++) {
      now[i] = random.nextGaussian();
    }
    double[] next = new double[now.length];
    normalize(now);
    double value = 0;
    long steps = Math.max(MIN_STEPS, MAX_VISITS / (now.length + 2L * graph.edges()));
    for (long step = 0; step < steps; step++) {
      for (int peer = 0; peer < now.length; peer++) {
        Ints list = graph.neighbours().get(peer);
        double sum = (top - list.size()) * now[peer];
        for (int i = 0; i < list.size(); i++) {
          sum += now[list.get(i)];
        }
        next[peer] = sum;
      }
      double before = value;
      value = normalize(next);
      double[] kept = now;
      now = next;
      next = kept;
      if (Math.abs(value - before) <= CONVERGENCE_TOLERANCE * top) {
        break;
      }
    }
    return Math.max(0, top - value);
  }

  /** One step of averaging with Metropolis weights, from one array of values to another. */
  public static void mix(Graph graph, double[] from, double[] to) {
    for (int peer = 0; peer < from.length; peer++) {
      Ints list = graph.neighbours().get(peer);
      double sum = 0;
      for (int i = 0; i < list.size(); i++) {
        int other = list.get(i);
        sum += (from[other] - from[peer]) / (1 + Math.max(list.size(), graph.degree(other)));
      }
      to[peer] = from[peer] + sum;
    }
  }

  /** Subtracts the mean and scales to length one; returns the length before. */
  static double normalize(double[] values) {
    double mean = 0;
    for (double each : values) {
      mean += each / values.length;
    }
    double squares = 0;
    for (int i = 0; i < values.length; i++) {
      values[i] -= mean;
      squares += values[i] * values[i];
    }
    double length = Math.sqrt(squares);
    for (int i = 0; length > 0 && i < values.length; i++) {
      values[i] /= length;
    }
    return length;
  }
}
