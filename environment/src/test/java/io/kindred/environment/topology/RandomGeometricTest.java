package io.kindred.environment.topology;

import static io.kindred.environment.topology.GraphAssertions.random;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kindred.core.random.RandomStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RandomGeometricTest {
  /** Prim's rule over all pairs: the shortest edges that connect all peers. */
  private static boolean[][] expected(double[] x, double[] y, double radius) {
    int peers = x.length;
    boolean[][] edges = new boolean[peers][peers];
    for (int a = 0; a < peers; a++) {
      for (int b = 0; b < peers; b++) {
        edges[a][b] = a != b && distance(x, y, a, b) <= radius;
      }
    }
    boolean[] in = new boolean[peers];
    in[0] = true;
    for (int step = 1; step < peers; step++) {
      int from = -1;
      int to = -1;
      for (int a = 0; a < peers; a++) {
        for (int b = 0; b < peers; b++) {
          boolean shorter = from < 0 || distance(x, y, a, b) < distance(x, y, from, to);
          if (in[a] && !in[b] && shorter) {
            from = a;
            to = b;
          }
        }
      }
      in[to] = true;
      edges[from][to] = true;
      edges[to][from] = true;
    }
    return edges;
  }

  private static double distance(double[] x, double[] y, int a, int b) {
    return Math.sqrt((x[a] - x[b]) * (x[a] - x[b]) + (y[a] - y[b]) * (y[a] - y[b]));
  }

  @ParameterizedTest
  @CsvSource({"0.01", "0.1", "0.25", "0.6", "1.1", "1.5"})
  void neighboursAreWithinTheRadiusOrJoinPartsByTheShortestWay(double radius) {
    for (long seed = 0; seed < 10; seed++) {
      int peers = 5 + (int) seed * 6;
      RandomStream places = random(seed);
      double[] x = new double[peers];
      double[] y = new double[peers];
      for (int peer = 0; peer < peers; peer++) {
        x[peer] = places.nextDouble();
        y[peer] = places.nextDouble();
      }
      boolean[][] expected = expected(x, y, radius);
      Graph graph = new RandomGeometric(0, radius).connect(peers, random(seed));
      for (int a = 0; a < peers; a++) {
        for (int b = 0; b < peers; b++) {
          assertThat(graph.hasEdge(a, b)).isEqualTo(expected[a][b]);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"8", "30", "100", "190", "198.5"})
  void theMeanDegreeAllowsForTheBorders(double degree) {
    double sum = 0;
    for (long seed = 0; seed < 100; seed++) {
      sum += new RandomGeometric(degree, 0).connect(200, random(seed)).meanDegree();
    }
    assertThat(sum / 100).isCloseTo(degree, within(0.03 * degree));
  }

  @Test
  void withoutADegreeItIsFiveOrAllWherePeersAreFewer() {
    assertThat(new RandomGeometric(0, 0).connect(200, random(1)))
        .isEqualTo(new RandomGeometric(5, 0).connect(200, random(1)));
    assertThat(new RandomGeometric(0, 0).connect(4, random(1)))
        .isEqualTo(new Complete().connect(4, random(1)));
  }

  @Test
  void theShareWithinTheDiagonalIsEverything() {
    assertThat(RandomGeometric.shareWithin(Math.sqrt(2))).isCloseTo(1, within(1e-12));
    assertThat(RandomGeometric.shareWithin(Math.nextUp(1.0)))
        .isCloseTo(RandomGeometric.shareWithin(1), within(1e-12));
    RandomStream random = random(1);
    int[] within = new int[14];
    for (int i = 0; i < 200_000; i++) {
      double[] x = {random.nextDouble(), random.nextDouble()};
      double[] y = {random.nextDouble(), random.nextDouble()};
      for (int tenth = 1; tenth < 14; tenth++) {
        within[tenth] += distance(x, y, 0, 1) <= tenth / 10.0 ? 1 : 0;
      }
    }
    for (int tenth = 1; tenth < 14; tenth++) {
      assertThat(RandomGeometric.shareWithin(tenth / 10.0))
          .isCloseTo(within[tenth] / 200_000.0, within(0.005));
    }
  }

  @Test
  void neighboursOfOneAreOftenNeighboursOfEachOther() {
    // 1 - 3 sqrt(3) / (4 pi) in a plane without borders (Dall and Christensen, 2002).
    Graph graph = new RandomGeometric(20, 0).connect(5000, random(1));
    double plane = 1 - 3 * Math.sqrt(3) / (4 * Math.PI);
    assertThat(GraphStatistics.clustering(graph)).isBetween(plane - 0.005, plane + 0.03);
  }
}
