package io.kindred.studies.radio;

import io.kindred.core.random.Purpose;
import io.kindred.core.random.RandomStream;
import io.kindred.core.random.RandomStreams;
import io.kindred.environment.radio.Channel;
import io.kindred.environment.radio.PeerPositions;
import io.kindred.environment.radio.RadioField;
import io.kindred.report.plot.Axis;
import io.kindred.report.plot.LineChart;
import io.kindred.report.plot.Notation;
import io.kindred.report.plot.Point;
import io.kindred.report.plot.Series;
import io.kindred.report.plot.SeriesStyle;
import io.kindred.report.table.Cell;
import io.kindred.report.table.Column;
import io.kindred.report.table.Spread;
import io.kindred.report.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;

/**
 * The mean number of neighbours that a target selects over drawn placements, as a function of one
 * quantity (figures 5 and 6).
 *
 * @param over name of the quantity
 */
public record SelectionStudy(String title, String over, int decimals, List<Curve> curves) {
  /** One line of a figure: means over placements. */
  public record Curve(String name, List<CurvePoint> readings) {
    public Curve {
      readings = List.copyOf(readings);
    }
  }

  /** The number of selected neighbours at one point of a curve. */
  public record CurvePoint(double at, Spread selected) {}

  /** Settings of one curve. */
  public record CurveSettings(String name, Channel channel, double epsilon) {}

  public SelectionStudy {
    curves = List.copyOf(curves);
  }

  /** How placements of the targets are drawn, and how many. */
  public record PlacementSampling(
      double sideMetres, int iterations, RandomStreams streams, Runnable step) {
    /** Places peers by a Poisson process; the first peer is the target. */
    public SelectionStudy byDensity(
        String title, List<CurveSettings> settings, List<Double> perThousand) {
      return study(
          title,
          "peers per 1,000 square metres",
          1,
          settings,
          perThousand,
          density ->
              iteration -> PeerPositions.poisson(density / 1000, sideMetres, stream(iteration)));
    }

    /** Places the target and the given number of other peers. */
    public SelectionStudy byNeighbours(
        String title, List<CurveSettings> settings, List<Double> neighbours) {
      return study(
          title,
          "neighbours in the area",
          0,
          settings,
          neighbours,
          count ->
              iteration -> PeerPositions.uniform(1 + (int) count, sideMetres, stream(iteration)));
    }

    private RandomStream stream(double iteration) {
      return streams.stream(Purpose.PLACEMENT, 1, (long) iteration);
    }

    private SelectionStudy study(
        String title,
        String over,
        int decimals,
        List<CurveSettings> settings,
        List<Double> places,
        DoubleFunction<DoubleFunction<PeerPositions>> placements) {
      List<Curve> curves = new ArrayList<>();
      for (CurveSettings curveSettings : settings) {
        List<CurvePoint> curvePoints = new ArrayList<>();
        for (double place : places) {
          double[] counts = new double[iterations];
          for (int i = 0; i < iterations; i++) {
            PeerPositions peerPositions = placements.apply(place).apply(i);
            counts[i] =
                peerPositions.size() < 2
                    ? 0
                    : new RadioField(curveSettings.channel(), peerPositions, streams)
                        .select(0, curveSettings.epsilon())
                        .selected()
                        .size();
          }
          curvePoints.add(new CurvePoint(place, Spread.overSeeds(counts)));
          step.run();
        }
        curves.add(new Curve(curveSettings.name(), curvePoints));
      }
      return new SelectionStudy(title, over, decimals, curves);
    }
  }

  /** One row per point, one column per curve; means and deviations over placements. */
  public Table table() {
    List<Column> columns = new ArrayList<>();
    columns.add(Column.numbers(over, decimals, Column.Best.NONE));
    curves.forEach(curve -> columns.add(Column.numbers(curve.name(), 2, Column.Best.NONE)));
    List<List<Cell>> rows = new ArrayList<>();
    for (int i = 0; i < curves.getFirst().readings().size(); i++) {
      List<Cell> row = new ArrayList<>();
      row.add(Cell.of(curves.getFirst().readings().get(i).at()));
      for (Curve curve : curves) {
        row.add(Cell.of(curve.readings().get(i).selected()));
      }
      rows.add(row);
    }
    return new Table(title, columns, rows);
  }

  public String svg() {
    List<Series> series = new ArrayList<>();
    for (int i = 0; i < curves.size(); i++) {
      List<Point> points = new ArrayList<>();
      for (CurvePoint curvePoint : curves.get(i).readings()) {
        points.add(Point.of(curvePoint.at(), curvePoint.selected().mean()));
      }
      series.add(new Series(curves.get(i).name(), SeriesStyle.of(i), points));
    }
    return new LineChart(
            title,
            new Axis(over, Notation.SI, Double.NaN, Double.NaN, Double.NaN),
            new Axis("selected neighbours, mean", Notation.SI, 0, Double.NaN, 0),
            series)
        .svg();
  }
}
