package io.kindred.studies.bias;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.topology.Complete;
import io.kindred.environment.topology.Expander;
import io.kindred.environment.topology.Graph;
import io.kindred.environment.topology.GraphMeasures;
import io.kindred.environment.topology.KRegular;
import io.kindred.environment.topology.Ring;
import io.kindred.report.plot.Axis;
import io.kindred.report.plot.LineChart;
import io.kindred.report.plot.Notation;
import io.kindred.report.plot.Point;
import io.kindred.report.plot.Series;
import io.kindred.report.plot.SeriesStyle;
import io.kindred.report.table.Cell;
import io.kindred.report.table.Column;
import io.kindred.report.table.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;

/**
 * Measures how much mass a minority retains after mixing, and how far peers end from their own
 * minima, on several graphs and on the graph that a search by similarity creates.
 *
 * @param separation delta, the distance of the two cluster centers
 */
public record BiasStudy(
    QuadraticPeers peers, Map<String, Graph> graphs, double separation, RandomStreams streams) {
  private static final Purpose MINIMA = new Purpose("planted-minima");
  private static final Purpose EIGENVECTOR = new Purpose("eigenvector");
  private static final int STEPS = 30;
  private static final double GAMMA = 0.1;

  /** Compares graphs of one size; all but the ring and the complete graph have the given degree. */
  public static BiasStudy of(
      int count, double minority, double separation, double dispersion, int degree, long seed) {
    RandomStreams streams = new RandomStreams(seed);
    QuadraticPeers peers =
        QuadraticPeers.draw(count, minority, separation, dispersion, streams.stream(MINIMA, 0, 0));
    Map<String, Graph> graphs = new LinkedHashMap<>();
    graphs.put("ring", new Ring().connect(count, streams.stream(Purpose.TOPOLOGY, 0, 0)));
    graphs.put(
        "random regular",
        new KRegular(degree).connect(count, streams.stream(Purpose.TOPOLOGY, 0, 1)));
    graphs.put(
        "expander", new Expander(degree).connect(count, streams.stream(Purpose.TOPOLOGY, 0, 2)));
    graphs.put("complete", new Complete().connect(count, streams.stream(Purpose.TOPOLOGY, 0, 3)));
    graphs.put("most alike", peers.nearestNeighbourGraph(degree));
    return new BiasStudy(peers, graphs, separation, streams);
  }

  private double connectivity(Graph graph) {
    return GraphMeasures.algebraicConnectivity(graph, streams.stream(EIGENVECTOR, 0, 0));
  }

  /**
   * The factor of the bound (3), squared and times delta squared; the bound's constant is not
   * known.
   */
  private double bound(Graph graph, double gamma) {
    int most = graph.neighbours().stream().mapToInt(each -> each.size()).max().orElse(0);
    double factor = gamma * connectivity(graph) / (1 + 4 * gamma * most);
    return factor * factor * separation * separation;
  }

  public Table table() {
    List<Column> columns =
        List.of(
            Column.words("graph"),
            Column.numbers("degree", 1, Column.Best.NONE),
            Column.numbers("lambda 2", 3, Column.Best.NONE),
            Column.numbers("H, 1 step", 3, Column.Best.NONE),
            Column.numbers("H, 5 steps", 3, Column.Best.NONE),
            Column.numbers("H, 30 steps", 3, Column.Best.NONE),
            Column.numbers("bias, gamma 0.1", 3, Column.Best.NONE),
            Column.numbers("bound's factor", 4, Column.Best.NONE),
            Column.numbers("recall", 3, Column.Best.NONE),
            Column.numbers("alignment", 4, Column.Best.NONE),
            Column.numbers("selection", 4, Column.Best.NONE),
            Column.numbers("mismatch", 4, Column.Best.NONE),
            Column.numbers("theorem 1's floor", 2, Column.Best.NONE));
    List<List<Cell>> rows = new ArrayList<>();
    graphs.forEach(
        (name, graph) -> {
          List<Double> retained = peers.retainedMass(graph, 1, STEPS);
          StationarityTerms terms = StationarityTerms.of(peers, graph);
          rows.add(
              List.of(
                  Cell.of(name),
                  Cell.of(graph.meanDegree()),
                  Cell.of(connectivity(graph)),
                  Cell.of(retained.get(1)),
                  Cell.of(retained.get(5)),
                  Cell.of(retained.get(STEPS)),
                  Cell.of(peers.bias(graph, GAMMA)),
                  Cell.of(bound(graph, GAMMA)),
                  Cell.of(terms.recall()),
                  Cell.of(terms.alignment()),
                  Cell.of(terms.selection()),
                  Cell.of(terms.mismatch()),
                  Cell.of(terms.floor())));
        });
    return new Table("mixing in clusters", columns, rows);
  }

  /** The mass that stays in the minority, over mixing steps. */
  public String retainedMassChart() {
    return chart(
        "Mass that stays in the minority",
        "mixing steps",
        "share that stays in its own cluster",
        graph -> {
          List<Double> means = peers.retainedMass(graph, 1, STEPS);
          return step -> means.get((int) step);
        },
        range(0, STEPS, 1));
  }

  /** The peers' squared distance from their own minima, over the weight of smoothing. */
  public String biasChart() {
    return chart(
        "Squared distance of a peer from its own minimum",
        "weight of smoothing, gamma",
        "mean over peers",
        graph -> gamma -> peers.bias(graph, gamma),
        range(0, 1, 0.1));
  }

  private static List<Double> range(double from, double to, double step) {
    List<Double> places = new ArrayList<>();
    for (int i = 0; from + i * step <= to + 1e-9; i++) {
      places.add(from + i * step);
    }
    return places;
  }

  private String chart(
      String title,
      String over,
      String what,
      Function<Graph, DoubleUnaryOperator> curve,
      List<Double> places) {
    List<Series> series = new ArrayList<>();
    graphs.forEach(
        (name, graph) -> {
          DoubleUnaryOperator values = curve.apply(graph);
          series.add(
              new Series(
                  name,
                  SeriesStyle.of(series.size()),
                  places.stream().map(x -> Point.of(x, values.applyAsDouble(x))).toList()));
        });
    return new LineChart(
            title,
            new Axis(over, Notation.PLAIN, Double.NaN, Double.NaN, Double.NaN),
            new Axis(what, Notation.PLAIN, 0, Double.NaN, 0),
            series)
        .svg();
  }
}
