package io.kindred.lab.plot;

import java.util.ArrayList;
import java.util.List;

/** Lines over a common axis, with bands where points carry a spread. */
public record LineChart(
    String title, Axis x, Axis y, List<Series> series, List<Level> levels, Size size) {
  private static final int MOST_MARKERS = 12;
  private static final double WIDEST_END_LABEL = 170;

  public LineChart {
    series = series.stream().filter(line -> !line.drawable().isEmpty()).toList();
    levels = levels.stream().filter(level -> Double.isFinite(level.y())).toList();
  }

  public LineChart(String title, Axis x, Axis y, List<Series> series) {
    this(title, x, y, series, List.of(), Size.STANDARD);
  }

  /** The chart as one SVG document. */
  public String svg() {
    Ticks xTicks = x.tightTicks(horizontalExtent(), 9);
    Ticks yTicks = y.ticks(verticalExtent(), 6);
    double left = Frame.tickWidth(y, yTicks) + 14;
    double top = Frame.headHeight(title, y);
    double bottom = size.height() - Frame.footHeight(x);
    double labelRoom = endLabelRoom();
    Frame frame = frame(xTicks, yTicks, left, size.width() - labelRoom - 18, top, bottom);
    EndLabels labels = endLabels(frame);
    boolean named =
        labels.labels().size() == series.size() + levels.size() && widestName() <= WIDEST_END_LABEL;
    Legend legend = named ? new Legend(List.of(), 0, size.width()) : legend();
    // The chart grows by the legend, so that the plotting area keeps its height.
    double added = legend.height();
    Svg svg =
        new Svg(
            new Size(size.width(), size.height() + added),
            title.isEmpty() ? y.label() + " over " + x.label() : title);
    Frame.drawTitle(svg, title, 0);
    if (named) {
      drawBody(svg, frame);
      labels.draw(svg, frame.right() + 16, labelRoom);
    } else {
      legend.draw(svg, title.isEmpty() ? 0 : 28);
      drawBody(svg, frame(xTicks, yTicks, left, size.width() - 22, top + added, bottom + added));
    }
    return svg.finish();
  }

  private Frame frame(
      Ticks xTicks, Ticks yTicks, double left, double right, double top, double bottom) {
    return new Frame(x, y, new Scale(xTicks, left, right), new Scale(yTicks, bottom, top));
  }

  private void drawBody(Svg svg, Frame frame) {
    frame.drawVertical(svg);
    frame.drawHorizontal(svg, false);
    if (series.isEmpty() && levels.isEmpty()) {
      double middle = (frame.left() + frame.right()) / 2;
      svg.text(middle, (frame.top() + frame.bottom()) / 2, Letters.NOTE.centred(), "no values yet");
    }
    series.forEach(line -> drawBands(svg, frame, line));
    levels.forEach(level -> drawLevel(svg, frame, level));
    for (int i = 0; i < series.size(); i++) {
      drawLine(svg, frame, series.get(i), i);
    }
  }

  private static void drawBands(Svg svg, Frame frame, Series line) {
    for (List<Point> stretch : line.stretches()) {
      if (stretch.size() < 2 || stretch.stream().noneMatch(point -> point.spreadOrZero() > 0)) {
        continue;
      }
      StringBuilder path = new StringBuilder();
      for (Point point : stretch) {
        append(path, frame, point.x(), point.y() + point.spreadOrZero());
      }
      for (Point point : stretch.reversed()) {
        append(path, frame, point.x(), point.y() - point.spreadOrZero());
      }
      svg.leaf(
          "path",
          "class",
          "k-band " + line.look().fillClass(),
          "d",
          path.append('Z').toString(),
          "fill",
          line.look().colour(),
          "fill-opacity",
          "0.12");
    }
  }

  private static void append(StringBuilder path, Frame frame, double x, double y) {
    path.append(path.isEmpty() ? 'M' : 'L');
    path.append(Svg.number(frame.x().at(x))).append(' ').append(Svg.number(frame.y().at(y)));
  }

  private static void drawLevel(Svg svg, Frame frame, Level level) {
    String y = Svg.number(frame.y().at(level.y()));
    stroke(
        svg,
        level.look(),
        "M" + Svg.number(frame.left()) + " " + y + "L" + Svg.number(frame.right()) + " " + y);
  }

  private static void drawLine(Svg svg, Frame frame, Series line, int position) {
    for (List<Point> stretch : line.stretches()) {
      StringBuilder path = new StringBuilder();
      for (Point point : stretch) {
        append(path, frame, point.x(), point.y());
      }
      if (stretch.size() > 1) {
        stroke(svg, line.look(), path.toString());
      }
    }
    List<Point> points = line.drawable();
    int every = Math.max(1, (points.size() + MOST_MARKERS - 1) / MOST_MARKERS);
    for (int i = 0; i < points.size(); i++) {
      // Markers of different lines start at different points so that they do not hide each other.
      if ((i + position) % every == 0 || i == points.size() - 1) {
        Point point = points.get(i);
        line.look().drawMarker(svg, frame.x().at(point.x()), frame.y().at(point.y()), 3.2);
      }
    }
  }

  private static void stroke(Svg svg, Look look, String path) {
    svg.leaf(
        "path",
        "class",
        look.lineClass(),
        "d",
        path,
        "fill",
        "none",
        "stroke",
        look.colour(),
        "stroke-width",
        "2",
        "stroke-linejoin",
        "round",
        "stroke-dasharray",
        look.dash());
  }

  private Legend legend() {
    List<Legend.Entry> entries = new ArrayList<>();
    series.forEach(line -> entries.add(new Legend.Entry(line.name(), line.look(), true)));
    levels.forEach(level -> entries.add(new Legend.Entry(level.name(), level.look(), true)));
    return new Legend(entries, 0, size.width());
  }

  /** Only lines that all reach the right edge can carry their names there. */
  private EndLabels endLabels(Frame frame) {
    List<EndLabels.End> ends = new ArrayList<>();
    for (Series line : series) {
      Point last = line.drawable().getLast();
      double x = frame.x().at(last.x());
      if (x < frame.right() - 0.06 * (frame.right() - frame.left()) || ends.size() > 11) {
        return new EndLabels(List.of());
      }
      ends.add(new EndLabels.End(line.name(), line.look(), x, frame.y().at(last.y())));
    }
    for (Level level : levels) {
      double y = frame.y().at(level.y());
      ends.add(new EndLabels.End(level.name(), level.look(), frame.right(), y));
    }
    return EndLabels.place(ends, frame.top(), frame.bottom());
  }

  private double endLabelRoom() {
    return Math.min(WIDEST_END_LABEL, widestName()) + 12;
  }

  private double widestName() {
    double widest = 0;
    for (Series line : series) {
      widest = Math.max(widest, Letters.LABEL.width(line.name()));
    }
    for (Level level : levels) {
      widest = Math.max(widest, Letters.LABEL.width(level.name()));
    }
    return widest;
  }

  private Extent horizontalExtent() {
    Extent extent = Extent.EMPTY;
    for (Series line : series) {
      for (Point point : line.drawable()) {
        extent = extent.with(point.x());
      }
    }
    return extent;
  }

  private Extent verticalExtent() {
    Extent extent = Extent.EMPTY;
    for (Series line : series) {
      for (Point point : line.drawable()) {
        extent = extent.with(point.y() - point.spreadOrZero());
        extent = extent.with(point.y() + point.spreadOrZero());
      }
    }
    for (Level level : levels) {
      extent = extent.with(level.y());
    }
    return extent;
  }
}
