package io.kindred.report.plot;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleBinaryOperator;

/**
 * A square area seen from above, shaded by a value from 0 to 1 at every position (darker is more,
 * up to the largest value), with named marks.
 *
 * @param side length of the area in metres
 * @param shares value from 0 to 1 at a position, given in metres to the right and upwards
 */
public record AreaMap(
    String title, String legend, double side, DoubleBinaryOperator shares, List<Mark> marks) {
  private static final double WIDTH = 560;
  private static final double LEFT = 46;
  private static final double TOP = 58;
  private static final double EXTENT = 480;
  private static final int CELLS = 48;
  private static final int LEVELS = 20;

  /** A marked position; its kind decides how it is drawn. */
  public record Mark(String name, double x, double y, MarkKind kind, String tooltip) {}

  /** The role of a marked peer. */
  public enum MarkKind {
    /** The receiving peer. */
    TARGET,
    /** A sender that the target has selected. */
    SELECTED,
    /** A sender that only interferes. */
    INTERFERER
  }

  public AreaMap {
    marks = List.copyOf(marks);
  }

  /** The chart as one SVG document. */
  public String svg() {
    Svg svg = new Svg(new Size(WIDTH, TOP + EXTENT + 78), title);
    PlotFrame.drawTitle(svg, title, 0);
    svg.text(0, TOP - 14, TextStyle.NOTE, "metres");
    double[][] cells = cells();
    double most = Arrays.stream(cells).flatMapToDouble(Arrays::stream).max().orElse(1);
    drawCells(svg, cells, most > 0 ? most : 1);
    drawAxes(svg);
    marks.forEach(mark -> draw(svg, mark));
    drawScale(svg, TOP + EXTENT + 40, most);
    return svg.finish();
  }

  private double[][] cells() {
    double metres = side / CELLS;
    double[][] cells = new double[CELLS][CELLS];
    for (int row = 0; row < CELLS; row++) {
      for (int column = 0; column < CELLS; column++) {
        double share = shares.applyAsDouble((column + 0.5) * metres, (row + 0.5) * metres);
        cells[row][column] = Math.clamp(share, 0.0, 1.0);
      }
    }
    return cells;
  }

  private static void drawCells(Svg svg, double[][] cells, double most) {
    double cell = EXTENT / CELLS;
    for (int row = 0; row < CELLS; row++) {
      int from = 0;
      for (int column = 1; column <= CELLS; column++) {
        long level = Math.round(cells[row][from] / most * LEVELS);
        // Adjacent cells of one level become one rectangle, which makes the file ten times smaller.
        if (column == CELLS || Math.round(cells[row][column] / most * LEVELS) != level) {
          double top = TOP + EXTENT - (row + 1) * cell;
          double share = level / (double) LEVELS;
          shade(svg, share, LEFT + from * cell, top, (column - from) * cell, cell);
          from = column;
        }
      }
    }
  }

  private static void shade(
      Svg svg, double share, double x, double y, double width, double height) {
    svg.emptyElement(
        "rect",
        "class",
        "k-fill k-c0",
        "x",
        Svg.number(x),
        "y",
        Svg.number(y),
        "width",
        Svg.number(width),
        "height",
        Svg.number(height),
        "fill",
        "#0072B2",
        "fill-opacity",
        Svg.number(0.04 + 0.76 * share));
  }

  private void drawAxes(Svg svg) {
    AxisTicks axisTicks = AxisTicks.covering(0, side, 6, 0).within(0, side);
    for (double value : axisTicks.values()) {
      double share = value / side * EXTENT;
      String text = Notation.SI.tick(value, axisTicks.step());
      svg.text(LEFT + share, TOP + EXTENT + 18, TextStyle.NOTE.centred(), text);
      svg.text(LEFT - 8, TOP + EXTENT - share + 4, TextStyle.NOTE.rightAligned(), text);
    }
  }

  private void draw(Svg svg, Mark mark) {
    double x = LEFT + mark.x() / side * EXTENT;
    double y = TOP + EXTENT - mark.y() / side * EXTENT;
    SeriesStyle style =
        switch (mark.kind()) {
          case TARGET -> new SeriesStyle("#000000", "k-c7", "", SeriesStyle.Marker.DIAMOND);
          case SELECTED -> new SeriesStyle("#D55E00", "k-c1", "", SeriesStyle.Marker.DOT);
          case INTERFERER -> SeriesStyle.REFERENCE;
        };
    style.drawMarker(svg, x, y, mark.kind() == MarkKind.TARGET ? 8 : 5.5);
    svg.elementWithTooltip(
        mark.tooltip(),
        "circle",
        "cx",
        Svg.number(x),
        "cy",
        Svg.number(y),
        "r",
        "9",
        "fill",
        "#ffffff",
        "fill-opacity",
        "0");
    boolean right = mark.x() > 0.92 * side;
    svg.text(
        right ? x - 10 : x + 10,
        y - 5,
        right ? TextStyle.LABEL.asBold().rightAligned() : TextStyle.LABEL.asBold(),
        mark.name());
  }

  private void drawScale(Svg svg, double y, double most) {
    double step = 8;
    svg.text(LEFT, y + 11, TextStyle.NOTE, "0");
    for (int i = 0; i <= LEVELS; i++) {
      shade(svg, i / (double) LEVELS, LEFT + 14 + i * step, y, step, 14);
    }
    double end = LEFT + 14 + (LEVELS + 1) * step;
    svg.text(
        end + 6, y + 11, TextStyle.NOTE, String.format(Locale.ROOT, "%.2f", most) + "   " + legend);
  }
}
