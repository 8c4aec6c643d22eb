package io.kindred.lab.report;

import io.kindred.lab.plot.Axis;
import io.kindred.lab.plot.LineChart;
import io.kindred.lab.plot.Look;
import io.kindred.lab.plot.Notation;
import io.kindred.lab.plot.Point;
import io.kindred.lab.plot.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A table of one figure of a grid as lines, a row each, where its columns are numbers such as
 * counts of peers.
 *
 * @param over what the columns are
 */
public record TableChart(Table table, String over) {
  private static final int LONG_NAME = 32;

  /** Nothing where columns are names, or fewer than two. */
  Optional<Figure> figure(boolean titled) {
    List<Double> places = places();
    if (places.size() < 2 || places.contains(Double.NaN)) {
      return Optional.empty();
    }
    boolean percent = table.columns().getLast().scale() != 1;
    String title = table.caption() + " by " + over;
    String svg =
        new LineChart(
                titled ? title : "",
                across(places),
                percent ? Axis.percent(table.caption()) : Axis.amount(table.caption()),
                series(places))
            .svg();
    String caption =
        "How the figure of this grid goes with "
            + over
            + "."
            + (banded() ? " Bands reach one standard deviation over seeds to either side." : "");
    return Optional.of(new Figure("table", title, caption, svg));
  }

  /** Between two counts, as of peers, there is nothing to mark. */
  private Axis across(List<Double> places) {
    return places.stream().allMatch(each -> each == Math.rint(each))
        ? Axis.whole(over)
        : new Axis(over, Notation.PLAIN, Double.NaN, Double.NaN, Double.NaN);
  }

  private List<Double> places() {
    return table.columns().stream().skip(1).map(column -> number(column.header())).toList();
  }

  private static double number(String header) {
    try {
      return Double.parseDouble(header);
    } catch (NumberFormatException _) {
      return Double.NaN;
    }
  }

  private boolean banded() {
    return table.rows().size() <= Figures.MOST_NARROW_BANDS && table.repeated(1);
  }

  /** The row's own name; of a long one the first word where no other row begins with it. */
  private String name(int row) {
    String whole = table.plain(row, 0, "");
    String first = firstWord(row);
    long alike =
        IntStream.range(0, table.rows().size())
            .filter(each -> firstWord(each).equals(first))
            .count();
    return whole.length() > LONG_NAME && alike == 1 ? first : whole;
  }

  private String firstWord(int row) {
    return table.plain(row, 0, "").split("[ ,]", 2)[0];
  }

  private List<Series> series(List<Double> places) {
    List<Series> series = new ArrayList<>();
    for (int row = 0; row < table.rows().size(); row++) {
      List<Point> points = new ArrayList<>();
      for (int i = 0; i < places.size(); i++) {
        if (table.rows().get(row).get(i + 1) instanceof Cell.Measured(Spread value, _)) {
          points.add(new Point(places.get(i), value.mean(), banded() ? value.std() : Double.NaN));
        }
      }
      series.add(new Series(name(row), Look.of(row), points));
    }
    return series;
  }
}
