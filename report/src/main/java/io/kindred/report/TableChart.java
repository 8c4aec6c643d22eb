package io.kindred.report;

import io.kindred.report.plot.Axis;
import io.kindred.report.plot.LineChart;
import io.kindred.report.plot.Notation;
import io.kindred.report.plot.Point;
import io.kindred.report.plot.Series;
import io.kindred.report.plot.SeriesStyle;
import io.kindred.report.table.Cell;
import io.kindred.report.table.Spread;
import io.kindred.report.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Draws a grid's table of one figure as a line chart, one line per row, if its columns are numbers
 * such as peer counts.
 *
 * @param columnKey the setting whose values head the columns
 */
public record TableChart(Table table, String columnKey) {
  private static final int LONG_NAME = 32;

  /** Empty if column headers are not numbers, or if there are fewer than two columns. */
  Optional<Figure> figure(boolean titled) {
    List<Double> places = columnValues();
    if (places.size() < 2 || places.contains(Double.NaN)) {
      return Optional.empty();
    }
    boolean percent = table.columns().getLast().scale() != 1;
    String title = table.caption() + " by " + columnKey;
    String svg =
        new LineChart(
                titled ? title : "",
                columnAxis(places),
                percent ? Axis.percent(table.caption()) : Axis.amount(table.caption()),
                series(places))
            .svg();
    String caption =
        "The metric of this grid as a function of "
            + columnKey
            + "."
            + (banded() ? " Bands reach one standard deviation over seeds to either side." : "");
    return Optional.of(new Figure("table", title, caption, svg));
  }

  /** Whole-number columns, such as peer counts, get no ticks between two whole numbers. */
  private Axis columnAxis(List<Double> places) {
    return places.stream().allMatch(each -> each == Math.rint(each))
        ? Axis.whole(columnKey)
        : new Axis(columnKey, Notation.PLAIN, Double.NaN, Double.NaN, Double.NaN);
  }

  private List<Double> columnValues() {
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
    return table.rows().size() <= ComparisonFigures.MOST_NARROW_BANDS && table.repeated(1);
  }

  /** The row's name, or the first word of a long name if no other row begins with that word. */
  private String name(int row) {
    String whole = table.cellText(row, 0, "");
    String first = firstWord(row);
    long alike =
        IntStream.range(0, table.rows().size())
            .filter(each -> firstWord(each).equals(first))
            .count();
    return whole.length() > LONG_NAME && alike == 1 ? first : whole;
  }

  private String firstWord(int row) {
    return table.cellText(row, 0, "").split("[ ,]", 2)[0];
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
      series.add(new Series(name(row), SeriesStyle.of(row), points));
    }
    return series;
  }
}
