package io.kindred.report.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Square similarity matrices, panel by panel on one scale: darker is more similar. A single hue
 * also reads well in grey. Lines separate groups of neighbouring rows.
 *
 * @param legend what the shades mean
 */
public record MatrixMap(String title, String legend, List<Panel> panels, double width) {
  private static final int LEVELS = 12;
  private static final double GAP = 28;
  private static final double HEADING = 22;
  private static final double WIDEST = 300;
  private static final double LEAST_OPACITY = 0.05;

  /**
   * One matrix.
   *
   * @param values row by row; the diagonal is ignored
   * @param groups sizes of the groups of rows, from the top
   */
  public record Panel(String name, List<double[]> values, List<Integer> groups) {
    public Panel {
      values = List.copyOf(values);
      groups = List.copyOf(groups);
    }

    private DoubleStream offDiagonal() {
      return IntStream.range(0, values.size())
          .boxed()
          .flatMapToDouble(
              row ->
                  IntStream.range(0, values.size())
                      .filter(column -> column != row)
                      .mapToDouble(column -> values.get(row)[column]));
    }
  }

  public MatrixMap {
    panels = List.copyOf(panels);
  }

  public MatrixMap(String title, String legend, List<Panel> panels) {
    this(title, legend, panels, Size.STANDARD.width());
  }

  /** The chart as one SVG document. */
  public String svg() {
    int columns = Math.clamp(panels.size(), 1, 3);
    int rows = Math.max(1, (panels.size() + columns - 1) / columns);
    double side = Math.floor(Math.min(WIDEST, (width - (columns - 1) * GAP) / columns));
    double head = title.isEmpty() ? 0 : 28;
    double bottom = head + rows * (HEADING + side + 14);
    Svg svg = new Svg(new Size(width, bottom + 26), title.isEmpty() ? legend : title);
    PlotFrame.drawTitle(svg, title, 0);
    Extent extent = extent();
    for (int i = 0; i < panels.size(); i++) {
      int row = i / columns;
      double left = Math.floor((i % columns) * (side + GAP));
      double top = head + row * (HEADING + side + 14) + HEADING;
      Panel panel = panels.get(i);
      String name = TextStyle.LABEL.truncatedToWidth(panel.name(), side);
      svg.text(left, top - 8, TextStyle.LABEL.asBold(), name);
      double cell = cell(panel, side);
      drawCells(svg, panel, extent, left, top, cell);
      drawRules(svg, panel, left, top, cell);
    }
    drawScale(svg, extent, bottom + 4);
    return svg.finish();
  }

  /** Cells of more than one pixel get whole pixels: seams between cells would look like data. */
  private static double cell(Panel panel, double side) {
    double cell = side / Math.max(1, panel.values().size());
    return cell > 1 ? Math.floor(cell) : cell;
  }

  private Extent extent() {
    Extent extent = Extent.EMPTY;
    for (Panel panel : panels) {
      for (double value : panel.offDiagonal().toArray()) {
        extent = extent.with(value);
      }
    }
    return Double.isNaN(extent.low()) ? new Extent(0, 1) : extent;
  }

  private static int level(double value, Extent extent) {
    double range = extent.high() - extent.low();
    double share = range > 0 ? (value - extent.low()) / range : 1;
    return (int) Math.round(Math.clamp(share, 0.0, 1.0) * LEVELS);
  }

  /**
   * One path for all cells of a level, with neighbours joined: a tenth of the size of single
   * rectangles.
   */
  private static void drawCells(
      Svg svg, Panel panel, Extent extent, double left, double top, double cell) {
    List<StringBuilder> paths = new ArrayList<>();
    for (int level = 0; level <= LEVELS; level++) {
      paths.add(new StringBuilder());
    }
    int size = panel.values().size();
    for (int row = 0; row < size; row++) {
      int from = 0;
      for (int column = 1; column <= size; column++) {
        int level = level(panel, extent, row, from);
        if (column == size || level(panel, extent, row, column) != level) {
          String y = Svg.number(top + row * cell);
          paths.get(level).append('M').append(Svg.number(left + from * cell)).append(' ').append(y);
          paths.get(level).append('H').append(Svg.number(left + column * cell));
          paths.get(level).append('V').append(Svg.number(top + (row + 1) * cell));
          paths.get(level).append('H').append(Svg.number(left + from * cell)).append('Z');
          from = column;
        }
      }
    }
    for (int level = 0; level <= LEVELS; level++) {
      if (!paths.get(level).isEmpty()) {
        shade(svg, level, paths.get(level).toString());
      }
    }
  }

  private static int level(Panel panel, Extent extent, int row, int column) {
    return row == column ? LEVELS : level(panel.values().get(row)[column], extent);
  }

  private static void shade(Svg svg, int level, String path) {
    double opacity = LEAST_OPACITY + (1 - LEAST_OPACITY) * level / LEVELS;
    svg.emptyElement(
        "path",
        "class",
        "k-fill k-c0",
        "d",
        path,
        "fill",
        "#0072B2",
        "fill-opacity",
        Svg.number(opacity),
        "shape-rendering",
        "crispEdges");
  }

  private static void drawRules(Svg svg, Panel panel, double left, double top, double cell) {
    double side = cell * panel.values().size();
    int before = 0;
    for (int group : panel.groups().subList(0, Math.max(0, panel.groups().size() - 1))) {
      before += group;
      double at = cell * before;
      svg.rule(left + at, top, left + at, top + side);
      svg.rule(left, top + at, left + side, top + at);
    }
  }

  private void drawScale(Svg svg, Extent extent, double y) {
    String low = String.format(Locale.ROOT, "%.2f", extent.low());
    double left = TextStyle.NOTE.width(low) + 6;
    double step = 9;
    svg.text(0, y + 11, TextStyle.NOTE, low);
    for (int level = 0; level <= LEVELS; level++) {
      double x = left + level * step;
      shade(
          svg,
          level,
          "M"
              + Svg.number(x)
              + " "
              + Svg.number(y)
              + "h"
              + Svg.number(step)
              + "v14h"
              + Svg.number(-step)
              + "Z");
    }
    svg.text(
        left + (LEVELS + 1) * step + 6,
        y + 11,
        TextStyle.NOTE,
        String.format(Locale.ROOT, "%.2f", extent.high()) + "   " + legend);
  }
}
