package io.kindred.report.plot;

import java.util.ArrayList;
import java.util.List;

/** Lines over a common axis, with bands where points carry a spread. */
public record LineChart(
    String title,
    Axis x,
    Axis y,
    List<Series> series,
    List<ReferenceLine> referenceLines,
    Size size) {
  private static final int MOST_MARKERS = 12;
  private static final double WIDEST_END_LABEL = 170;

  public LineChart {
    series = series.stream().filter(line -> !line.drawable().isEmpty()).toList();
    referenceLines = referenceLines.stream().filter(level -> Double.isFinite(level.y())).toList();
  }

  public LineChart(String title, Axis x, Axis y, List<Series> series) {
    this(title, x, y, series, List.of(), Size.STANDARD);
  }

  /** The chart as one SVG document. */
  public String svg() {
    AxisTicks xTicks = x.tightTicks(horizontalExtent(), 9);
    AxisTicks yTicks = y.ticks(verticalExtent(), 6);
    double left = PlotFrame.tickWidth(y, yTicks) + 14;
    double top = PlotFrame.headHeight(title, y);
    double bottom = size.height() - PlotFrame.footHeight(x);
    double labelRoom = endLabelRoom();
    PlotFrame plotFrame = frame(xTicks, yTicks, left, size.width() - labelRoom - 18, top, bottom);
    EndLabels labels = endLabels(plotFrame);
    boolean named =
        labels.labels().size() == series.size() + referenceLines.size()
            && widestName() <= WIDEST_END_LABEL;
    Legend legend = named ? new Legend(List.of(), 0, size.width()) : legend();
    // The chart grows by the legend's height, so that the plotting area keeps its own.
    double added = legend.height();
    Svg svg =
        new Svg(
            new Size(size.width(), size.height() + added),
            title.isEmpty() ? y.label() + " over " + x.label() : title);
    PlotFrame.drawTitle(svg, title, 0);
    if (named) {
      drawBody(svg, plotFrame);
      labels.draw(svg, plotFrame.right() + 16, labelRoom);
    } else {
      legend.draw(svg, title.isEmpty() ? 0 : 28);
      drawBody(svg, frame(xTicks, yTicks, left, size.width() - 22, top + added, bottom + added));
    }
    return svg.finish();
  }

  private PlotFrame frame(
      AxisTicks xTicks, AxisTicks yTicks, double left, double right, double top, double bottom) {
    return new PlotFrame(x, y, new Scale(xTicks, left, right), new Scale(yTicks, bottom, top));
  }

  private void drawBody(Svg svg, PlotFrame frame) {
    frame.drawVertical(svg);
    frame.drawHorizontal(svg, false);
    if (series.isEmpty() && referenceLines.isEmpty()) {
      double middle = (frame.left() + frame.right()) / 2;
      svg.text(
          middle, (frame.top() + frame.bottom()) / 2, TextStyle.NOTE.centred(), "no values yet");
    }
    series.forEach(line -> drawBands(svg, frame, line));
    referenceLines.forEach(referenceLine -> drawReferenceLine(svg, frame, referenceLine));
    for (int i = 0; i < series.size(); i++) {
      drawLine(svg, frame, series.get(i), i);
    }
  }

  private static void drawBands(Svg svg, PlotFrame frame, Series line) {
    for (List<Point> stretch : line.segments()) {
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
      svg.emptyElement(
          "path",
          "class",
          "k-band " + line.style().fillClass(),
          "d",
          path.append('Z').toString(),
          "fill",
          line.style().colour(),
          "fill-opacity",
          "0.12");
    }
  }

  private static void append(StringBuilder path, PlotFrame frame, double x, double y) {
    path.append(path.isEmpty() ? 'M' : 'L');
    path.append(Svg.number(frame.x().at(x))).append(' ').append(Svg.number(frame.y().at(y)));
  }

  private static void drawReferenceLine(Svg svg, PlotFrame frame, ReferenceLine referenceLine) {
    String y = Svg.number(frame.y().at(referenceLine.y()));
    stroke(
        svg,
        referenceLine.style(),
        "M" + Svg.number(frame.left()) + " " + y + "L" + Svg.number(frame.right()) + " " + y);
  }

  private static void drawLine(Svg svg, PlotFrame frame, Series line, int position) {
    for (List<Point> stretch : line.segments()) {
      StringBuilder path = new StringBuilder();
      for (Point point : stretch) {
        append(path, frame, point.x(), point.y());
      }
      if (stretch.size() > 1) {
        stroke(svg, line.style(), path.toString());
      }
    }
    List<Point> points = line.drawable();
    int every = Math.max(1, (points.size() + MOST_MARKERS - 1) / MOST_MARKERS);
    for (int i = 0; i < points.size(); i++) {
      // Markers of different lines start at different points so that they do not hide each other.
      if ((i + position) % every == 0 || i == points.size() - 1) {
        Point point = points.get(i);
        line.style().drawMarker(svg, frame.x().at(point.x()), frame.y().at(point.y()), 3.2);
      }
    }
  }

  private static void stroke(Svg svg, SeriesStyle style, String path) {
    svg.emptyElement(
        "path",
        "class",
        style.lineClass(),
        "d",
        path,
        "fill",
        "none",
        "stroke",
        style.colour(),
        "stroke-width",
        "2",
        "stroke-linejoin",
        "round",
        "stroke-dasharray",
        style.dash());
  }

  private Legend legend() {
    List<Legend.Entry> entries = new ArrayList<>();
    series.forEach(line -> entries.add(new Legend.Entry(line.name(), line.style(), true)));
    referenceLines.forEach(
        referenceLine ->
            entries.add(new Legend.Entry(referenceLine.name(), referenceLine.style(), true)));
    return new Legend(entries, 0, size.width());
  }

  /** Labels at the line ends are possible only if all lines reach the right edge. */
  private EndLabels endLabels(PlotFrame frame) {
    List<EndLabels.LineEnd> lineEnds = new ArrayList<>();
    for (Series line : series) {
      Point last = line.drawable().getLast();
      double x = frame.x().at(last.x());
      if (x < frame.right() - 0.06 * (frame.right() - frame.left()) || lineEnds.size() > 11) {
        return new EndLabels(List.of());
      }
      lineEnds.add(new EndLabels.LineEnd(line.name(), line.style(), x, frame.y().at(last.y())));
    }
    for (ReferenceLine referenceLine : referenceLines) {
      double y = frame.y().at(referenceLine.y());
      lineEnds.add(
          new EndLabels.LineEnd(referenceLine.name(), referenceLine.style(), frame.right(), y));
    }
    return EndLabels.place(lineEnds, frame.top(), frame.bottom());
  }

  private double endLabelRoom() {
    return Math.min(WIDEST_END_LABEL, widestName()) + 12;
  }

  private double widestName() {
    double widest = 0;
    for (Series line : series) {
      widest = Math.max(widest, TextStyle.LABEL.width(line.name()));
    }
    for (ReferenceLine referenceLine : referenceLines) {
      widest = Math.max(widest, TextStyle.LABEL.width(referenceLine.name()));
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
    for (ReferenceLine referenceLine : referenceLines) {
      extent = extent.with(referenceLine.y());
    }
    return extent;
  }
}
