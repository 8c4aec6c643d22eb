package io.kindred.studies.bias;

import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.Ints;
import io.kindred.environment.topology.Graph;
import io.kindred.environment.topology.GraphMeasures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Peers with losses half |w - w_i|^2 whose minima w_i lie around the centers of two clusters.
 *
 * @param minima along the line through both centers; the other dimensions are equal for all peers
 * @param clusters 0 for the majority, 1 for the minority
 */
public record QuadraticPeers(List<Double> minima, List<Integer> clusters) {
  /**
   * Assigns peers to clusters at random, so that graph neighbours are no more similar than other
   * peers.
   *
   * @param minority share of the peers in the smaller cluster
   * @param separation distance of the two centers
   * @param dispersion standard deviation of minima around their center
   */
  public static QuadraticPeers draw(
      int peers, double minority, double separation, double dispersion, RandomStream random) {
    int[] order = random.permutation(peers);
    int few = (int) Math.round(minority * peers);
    List<Double> minima = new ArrayList<>();
    List<Integer> clusters = new ArrayList<>();
    for (int peer = 0; peer < peers; peer++) {
      int cluster = order[peer] < few ? 1 : 0;
      clusters.add(cluster);
      minima.add(cluster * separation + dispersion * random.nextGaussian());
    }
    return new QuadraticPeers(minima, clusters);
  }

  public int peers() {
    return minima.size();
  }

  /** Links each peer to the k peers with the nearest minima, as a search by similarity would. */
  public Graph nearestNeighbourGraph(int k) {
    Graph.Builder edges = new Graph.Builder(peers());
    for (int peer = 0; peer < peers(); peer++) {
      for (int other : mostAlike(peer, k)) {
        edges.connect(peer, other);
      }
    }
    return edges.build();
  }

  /** The k peers with the nearest minima, nearest first; ties by number. */
  List<Integer> mostAlike(int peer, int k) {
    double own = minima.get(peer);
    List<Integer> others = new ArrayList<>();
    for (int other = 0; other < peers(); other++) {
      if (other != peer) {
        others.add(other);
      }
    }
    others.sort(
        Comparator.<Integer>comparingDouble(other -> Math.abs(minima.get(other) - own))
            .thenComparing(other -> other));
    return others.subList(0, Math.min(k, others.size()));
  }

  /**
   * The mass H that stays in a peer's own cluster after each number of mixing steps with Metropolis
   * weights, from 0 to {@code steps}, as mean over the peers of the cluster.
   */
  public List<Double> retainedMass(Graph graph, int cluster, int steps) {
    // Column by column of W^s: the mass that reaches each peer from the cluster as a whole.
    double[] mass = new double[peers()];
    for (int peer = 0; peer < mass.length; peer++) {
      mass[peer] = clusters.get(peer) == cluster ? 1 : 0;
    }
    List<Double> means = new ArrayList<>();
    for (int step = 0; step <= steps; step++) {
      means.add(mean(mass, cluster));
      double[] next = new double[mass.length];
      GraphMeasures.mix(graph, mass, next);
      mass = next;
    }
    return means;
  }

  private double mean(double[] values, int cluster) {
    double sum = 0;
    int count = 0;
    for (int peer = 0; peer < values.length; peer++) {
      if (clusters.get(peer) == cluster) {
        sum += values[peer];
        count++;
      }
    }
    return count == 0 ? Double.NaN : sum / count;
  }

  /**
   * Mean squared distance of the peers' models from their own minima, if they minimize the sum of
   * losses plus gamma times the squared differences over all edges (theorem 2). The minimum solves
   * (I + 2 gamma L) w = the minima, with L the graph's Laplacian.
   */
  public double bias(Graph graph, double gamma) {
    int n = peers();
    double[][] system = new double[n][n + 1];
    for (int peer = 0; peer < n; peer++) {
      system[peer][peer] = 1 + 2 * gamma * graph.degree(peer);
      Ints list = graph.neighbours().get(peer);
      for (int i = 0; i < list.size(); i++) {
        system[peer][list.get(i)] = -2 * gamma;
      }
      system[peer][n] = minima.get(peer);
    }
    double[] solution = solve(system);
    double sum = 0;
    for (int peer = 0; peer < n; peer++) {
      double away = solution[peer] - minima.get(peer);
      sum += away * away;
    }
    return sum / n;
  }

  /**
   * Gaussian elimination without pivoting: the matrix is diagonally dominant, so no pivot is near
   * zero.
   */
  private static double[] solve(double[][] system) {
    int n = system.length;
    for (int column = 0; column < n; column++) {
      for (int row = column + 1; row < n; row++) {
        double factor = system[row][column] / system[column][column];
        for (int i = column; factor != 0 && i <= n; i++) {
          system[row][i] -= factor * system[column][i];
        }
      }
    }
    double[] solution = new double[n];
    for (int row = n - 1; row >= 0; row--) {
      double rest = system[row][n];
      for (int i = row + 1; i < n; i++) {
        rest -= system[row][i] * solution[i];
      }
      solution[row] = rest / system[row][row];
    }
    return solution;
  }
}
