package io.kindred.studies.hfl;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.core.weights.Ints;
import io.kindred.methods.hfl.formation.Formation;
import io.kindred.methods.hfl.formation.FormationInput;
import io.kindred.methods.hfl.formation.FormationSettings;
import io.kindred.report.plot.ClusterMap;
import io.kindred.report.table.Cell;
import io.kindred.report.table.Column;
import io.kindred.report.table.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Clusters formed once on a network, before and after the search for better ones. */
public record FormationStudy(FormationInput situation, Formation formation, boolean labels) {
  private static final Purpose CLIENTS = new Purpose("hfl-clients");

  /**
   * Untrained clients: each has its own distribution of classes, and its direction is the weighted
   * sum of its classes' randomly drawn directions.
   *
   * @param alpha of the Dirichlet distribution of each client's classes
   * @param size dimension of a direction
   * @param minSeconds the shortest computing time of a client
   * @param maxSeconds the longest computing time of a client
   */
  public record SyntheticClients(
      double alpha, int classes, int size, double minSeconds, double maxSeconds, boolean labels) {
    /** Draws the clients; {@code sending} holds the seconds that a model takes between each two. */
    public FormationInput drawSituation(float[][] sending, RandomStreams streams) {
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
        computing[i] = random.uniform(minSeconds, maxSeconds);
        // A client with more samples computes longer.
        shares[i] = Math.round(100 * computing[i]);
        double[] mine = random.nextDirichlet(classes, alpha);
        features[i] = labels ? counts(mine, shares[i]) : direction(mine, directions);
      }
      return new FormationInput(shares, computing, sending, features, labels);
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

  public static FormationStudy of(
      FormationInput input, FormationSettings rule, RandomStreams streams) {
    Formation formation = Formation.of(input, rule, streams.stream(new Purpose("clusters"), 0, 1));
    return new FormationStudy(input, formation, input.labelFeatures());
  }

  private String unit() {
    return labels ? "skew" : "theta";
  }

  /** One row per cluster, before and after the search. */
  public Table table() {
    List<List<Cell>> rows = new ArrayList<>();
    addRows(rows, "before", formation.before());
    addRows(rows, "after", formation.after());
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

  private static void addRows(
      List<List<Cell>> rows, String when, List<Formation.Cluster> clusters) {
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
              Cell.of(membersText(cluster))));
    }
  }

  private static String membersText(Formation.Cluster cluster) {
    String members = join(cluster.members());
    return cluster.unreachable().size() == 0
        ? members
        : members + " (unreachable: " + join(cluster.unreachable()) + ")";
  }

  private static String join(Ints numbers) {
    return String.join(
        " ",
        IntStream.range(0, numbers.size())
            .mapToObj(i -> Integer.toString(numbers.get(i)))
            .toList());
  }

  /** The change by the search, in one line. */
  public String summary() {
    return String.format(
        Locale.ROOT,
        "%s %.3f -> %.3f, T %.2f -> %.2f s (means over %d clusters), %d changes",
        unit(),
        Formation.meanAngle(formation.before()),
        Formation.meanAngle(formation.after()),
        Formation.meanSeconds(formation.before()),
        Formation.meanSeconds(formation.after()),
        formation.after().size(),
        formation.changes());
  }

  /** The clusters before and after the search, side by side. */
  public String svg(String title) {
    return new ClusterMap(
            title, List.of(panel("before", formation.before()), panel("after", formation.after())))
        .svg();
  }

  private ClusterMap.Panel panel(String when, List<Formation.Cluster> clusters) {
    DirectionProjection directionProjection = new DirectionProjection(situation);
    double slowest = Arrays.stream(situation.computeSeconds()).max().orElse(1);
    List<ClusterMap.Group> groups = new ArrayList<>();
    for (Formation.Cluster cluster : clusters) {
      List<ClusterMap.Node> nodes = new ArrayList<>();
      for (int i = 0; i < cluster.members().size(); i++) {
        int client = cluster.members().get(i);
        double way = client == cluster.head() ? 0 : situation.sendSeconds()[client][cluster.head()];
        nodes.add(
            new ClusterMap.Node(
                Integer.toString(client),
                client == cluster.head(),
                situation.computeSeconds()[client] / slowest,
                way,
                directionProjection.angle(List.of(client))));
      }
      groups.add(
          new ClusterMap.Group(
              String.format(
                  Locale.ROOT, "%s %.2f   T %.1f s", unit(), cluster.angle(), cluster.seconds()),
              nodes,
              directionProjection.angle(
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
