package io.kindred.environment.topology;

import io.kindred.core.config.Named;
import io.kindred.core.config.Setting;
import io.kindred.core.config.TextFiles;
import io.kindred.core.random.RandomStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Peers lie at random in a square of side 1, and those within a radius are neighbours (Penrose,
 * Random Geometric Graphs, 2003). The shortest possible edges join components that remain.
 */
@Named(
    value = "random-geometric",
    summary =
        "peers in a square, those within a radius connected; short edges are added to"
            + " connect the graph")
public record RandomGeometric(
    @Setting(
            doc =
                "mean number of neighbours of a peer; 0 takes 5, or all other peers if there are"
                    + " fewer",
            fallback = "0",
            min = 0)
        double degree,
    @Setting(
            doc =
                "distance up to which peers are neighbours, instead of a degree; 0 uses the"
                    + " degree",
            fallback = "0",
            min = 0,
            max = 1.5)
        double radius)
    implements Topology {
  private record CandidateEdge(double squared, int a, int b) {}

  public RandomGeometric {
    DegreeLimits.requireOneOf(degree, "radius", radius);
  }

  @Override
  public Graph connect(int peers, RandomStream random, TextFiles files) {
    double reach = radiusFor(peers);
    double[] x = new double[peers];
    double[] y = new double[peers];
    for (int peer = 0; peer < peers; peer++) {
      x[peer] = random.nextDouble();
      y[peer] = random.nextDouble();
    }
    Graph.Builder edges = new Graph.Builder(peers);
    DisjointSets sets = new DisjointSets(peers);
    new CellGrid(x, y, reach)
        .forEachPair(
            (a, b, squared) -> {
              edges.connect(a, b);
              sets.union(a, b);
            });
    // Kruskal's rule in rings of growing radius: few pairs are examined before the graph is
    // connected.
    double wider = Math.max(reach, 0.5 / Math.sqrt(peers));
    while (sets.count() > 1) {
      wider *= Math.sqrt(2);
      for (CandidateEdge candidateEdge : candidateEdges(new CellGrid(x, y, wider), sets)) {
        if (sets.union(candidateEdge.a, candidateEdge.b)) {
          edges.connect(candidateEdge.a, candidateEdge.b);
        }
      }
    }
    return edges.build();
  }

  private static List<CandidateEdge> candidateEdges(CellGrid cellGrid, DisjointSets sets) {
    List<CandidateEdge> candidateEdges = new ArrayList<>();
    cellGrid.forEachPair(
        (a, b, squared) -> {
          if (sets.find(a) != sets.find(b)) {
            candidateEdges.add(new CandidateEdge(squared, a, b));
          }
        });
    candidateEdges.sort(
        Comparator.comparingDouble(CandidateEdge::squared)
            .thenComparingInt(CandidateEdge::a)
            .thenComparingInt(CandidateEdge::b));
    return candidateEdges;
  }

  private double radiusFor(int peers) {
    if (radius > 0) {
      return radius;
    }
    double wanted = DegreeLimits.resolveMean(degree, peers);
    if (peers == 1) {
      return 0;
    }
    double low = 0;
    double high = Math.sqrt(2);
    // As many halvings as a double has digits.
    for (int i = 0; i < 60; i++) {
      double middle = (low + high) / 2;
      if (shareWithin(middle) * (peers - 1) < wanted) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /**
   * The probability that two points of the square are within a radius of each other, borders
   * included: the density 2r(pi - 4r + r^2) up to 1, and its counterpart up to the diagonal,
   * integrated.
   */
  static double shareWithin(double radius) {
    double r2 = radius * radius;
    if (radius <= 1) {
      return Math.PI * r2 - 8 * r2 * radius / 3 + r2 * r2 / 2;
    }
    double beyond = Math.sqrt(Math.max(0, r2 - 1));
    return 1.0 / 3
        + (Math.PI - 2) * r2
        - r2 * r2 / 2
        + 4 * beyond * (2 * r2 + 1) / 3
        - 4 * r2 * StrictMath.atan(beyond);
  }
}
