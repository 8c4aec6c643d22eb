package io.kindred.lab.hierarchy;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.lab.plot.ClusterMap;
import io.kindred.lab.report.Cell;
import io.kindred.lab.report.Column;
import io.kindred.lab.report.Table;
import io.kindred.methods.hierarchy.forming.Formation;
import io.kindred.methods.hierarchy.forming.Grouping;
import io.kindred.methods.hierarchy.forming.Situation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Clusters formed once on a network, before and after the search. */
public record FormationStudy(Situation situation, Formation formation, boolean labels) {
  private static final Purpose CLIENTS = new Purpose("hfl-clients");

  /**
   * Clients that nobody trained: each has classes of its own, and its direction is the sum of its
   * classes' directions, which are drawn.
   *
   * @param alpha of the Dirichlet distribution of each client's classes
   * @param size how many numbers a direction has
   * @param leastSeconds and most: between which computing times lie
   */
  public record Crowd(
      double alpha,
      int classes,
      int size,
      double leastSeconds,
      double mostSeconds,
      boolean labels) {
    /** The clients, with ways between them that take so many seconds. */
    public Situation among(float[][] sending, RandomStreams streams) {
      int clients = sending.length;
      float[][] directions = new float[classes][size];
      for (int c = 0; c < classes; c++) {
        RandomStream random = streams.stream(CLIENTS, -1, c);
        for (int d = 0; d < size; d++) {
          directions[c][d] = (float) random.nextGaussian();
        }
      }
      double[] shares = new double[clients];
      double[] computing = new double[clients];
      float[][] features = new float[clients][];
      for (int i = 0; i < clients; i++) {
        RandomStream random = streams.stream(CLIENTS, i, 0);
        computing[i] = random.uniform(leastSeconds, mostSeconds);
        // Whoever has more samples takes longer.
        shares[i] = Math.round(100 * computing[i]);
        double[] mine = random.nextDirichlet(classes, alpha);
        features[i] = labels ? counts(mine, shares[i]) : direction(mine, directions);
      }
      return new Situation(shares, computing, sending, features, labels);
    }

    private static float[] counts(double[] mine, double samples) {
      float[] counts = new float[mine.length];
      for (int c = 0; c < counts.length; c++) {
        counts[c] = Math.round(mine[c] * samples);
      }
      return counts;
    }

    private float[] direction(double[] mine, float[][] directions) {
      float[] sum = new float[size];
      for (int c = 0; c < classes; c++) {
        for (int d = 0; d < size; d++) {
          sum[d] += (float) (mine[c] * directions[c][d]);
        }
      }
      return sum;
    }
  }

  public static FormationStudy of(Situation situation, Grouping rule, RandomStreams streams) {
    Formation formation =
        Formation.of(situation, rule, streams.stream(new Purpose("clusters"), 0, 1));
    return new FormationStudy(situation, formation, situation.labels());
  }

  private String unit() {
    return labels ? "skew" : "theta";
  }

  /** A row for each cluster, before and after. */
  public Table table() {
    List<List<Cell>> rows = new ArrayList<>();
    add(rows, "before", formation.before());
    add(rows, "after", formation.after());
    return new Table(
        "",
        List.of(
            Column.words("when"),
            Column.numbers("cluster", 0, Column.Best.NONE),
            Column.numbers("clients", 0, Column.Best.NONE),
            Column.numbers("head", 0, Column.Best.NONE),
            Column.numbers(unit(), 3, Column.Best.NONE),
            Column.numbers("T", 2, Column.Best.NONE),
            Column.words("members")),
        rows);
  }

  private static void add(List<List<Cell>> rows, String when, List<Formation.Cluster> clusters) {
    for (int i = 0; i < clusters.size(); i++) {
      Formation.Cluster cluster = clusters.get(i);
      rows.add(
          List.of(
              Cell.of(when),
              Cell.of(i),
              Cell.of(cluster.members().size()),
              Cell.of(cluster.head()),
              Cell.of(cluster.angle()),
              Cell.of(cluster.seconds()),
              Cell.of(words(cluster))));
    }
  }

  private static String words(Formation.Cluster cluster) {
    String members = join(cluster.members());
    return cluster.missed().size() == 0
        ? members
        : members + " (out of reach: " + join(cluster.missed()) + ")";
  }

  private static String join(Ints numbers) {
    return String.join(
        " ",
        IntStream.range(0, numbers.size())
            .mapToObj(i -> Integer.toString(numbers.get(i)))
            .toList());
  }

  /** What changed, in one line. */
  public String summary() {
    return String.format(
        Locale.ROOT,
        "%s %.3f -> %.3f, T %.2f -> %.2f s on the mean of %d clusters, %d changes",
        unit(),
        Formation.meanAngle(formation.before()),
        Formation.meanAngle(formation.after()),
        Formation.meanSeconds(formation.before()),
        Formation.meanSeconds(formation.after()),
        formation.after().size(),
        formation.changes());
  }

  /** Both clusterings side by side. */
  public String svg(String title) {
    return new ClusterMap(
            title, List.of(panel("before", formation.before()), panel("after", formation.after())))
        .svg();
  }

  private ClusterMap.Panel panel(String when, List<Formation.Cluster> clusters) {
    Compass compass = new Compass(situation);
    double slowest = Arrays.stream(situation.computing()).max().orElse(1);
    List<ClusterMap.Group> groups = new ArrayList<>();
    for (Formation.Cluster cluster : clusters) {
      List<ClusterMap.Node> nodes = new ArrayList<>();
      for (int i = 0; i < cluster.members().size(); i++) {
        int client = cluster.members().get(i);
        double way = client == cluster.head() ? 0 : situation.sending()[client][cluster.head()];
        nodes.add(
            new ClusterMap.Node(
                Integer.toString(client),
                client == cluster.head(),
                situation.computing()[client] / slowest,
                way,
                compass.bearing(List.of(client))));
      }
      groups.add(
          new ClusterMap.Group(
              String.format(
                  Locale.ROOT, "%s %.2f   T %.1f s", unit(), cluster.angle(), cluster.seconds()),
              nodes,
              compass.bearing(
                  IntStream.range(0, cluster.members().size())
                      .mapToObj(cluster.members()::get)
                      .toList())));
    }
    return new ClusterMap.Panel(
        String.format(
            Locale.ROOT,
            "%s: mean %s %.3f, mean T %.2f s",
            when,
            unit(),
            Formation.meanAngle(clusters),
            Formation.meanSeconds(clusters)),
        groups);
  }
}
