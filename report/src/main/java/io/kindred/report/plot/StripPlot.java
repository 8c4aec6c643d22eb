package io.kindred.report.plot;

import java.util.List;

/**
 * One row per method: a dot for every peer, a box from the lower to the upper quartile, whiskers to
 * the tenth and ninetieth percentile, a bar at the median and a diamond at the mean.
 */
public record StripPlot(String title, Axis axis, List<Distribution> distributions, double width) {
  private static final double ROW = 64;
  private static final double NARROW_ROW = 46;
  private static final double WIDEST_NAME = 230;
  private static final double LINE = 15;

  public StripPlot {
    distributions = List.copyOf(distributions);
  }

  public StripPlot(String title, Axis axis, List<Distribution> samples) {
    this(title, axis, samples, Size.STANDARD.width());
  }

  /** The chart as one SVG document. */
  public String svg() {
    double row = distributions.size() > 8 ? NARROW_ROW : ROW;
    double top = PlotFrame.headHeight(title, Axis.whole(""));
    double bottom = top + Math.max(1, distributions.size()) * row;
    AxisTicks axisTicks = axis.ticks(extent(), 8);
    double left = nameWidth() + 24;
    Axis rows = Axis.whole("");
    PlotFrame frame =
        new PlotFrame(
            axis,
            rows,
            new Scale(axisTicks, left, width - 24),
            new Scale(AxisTicks.covering(0, 1, 2, 1), bottom, top));
    Svg svg =
        new Svg(
            new Size(width, bottom + PlotFrame.footHeight(axis)),
            title.isEmpty() ? axis.label() : title);
    PlotFrame.drawTitle(svg, title, 0);
    frame.drawHorizontal(svg, true);
    for (int i = 0; i < distributions.size(); i++) {
      drawRow(svg, frame, distributions.get(i), top + (i + 0.5) * row, row);
    }
    return svg.finish();
  }

  private static void drawRow(
      Svg svg, PlotFrame frame, Distribution distribution, double middle, double row) {
    List<String> lines = TextStyle.LABEL.wrappedToWidth(distribution.name(), WIDEST_NAME);
    for (int i = 0; i < lines.size(); i++) {
      double at = middle + 4 + (i - (lines.size() - 1) / 2.0) * LINE;
      svg.text(
          frame.left() - 12,
          at,
          TextStyle.LABEL.rightAligned(),
          TextStyle.LABEL.truncatedToWidth(lines.get(i), WIDEST_NAME));
    }
    if (distribution.values().isEmpty()) {
      svg.text(frame.left() + 8, middle + 4, TextStyle.NOTE, "no values yet");
      return;
    }
    double radius =
        distribution.values().size() > 300 ? 1.6 : distribution.values().size() > 80 ? 2.2 : 3;
    // Dots above the box: drawn over each other, neither would be readable.
    double dots = middle - row * 0.12;
    double box = middle + row * 0.31;
    double boxHalf = row * 0.085;
    if (distribution.values().size() > 1) {
      drawWhiskers(svg, frame, distribution, box, boxHalf);
    }
    BeeswarmLayout beeswarmLayout = new BeeswarmLayout(radius, row * 0.29);
    drawDots(
        svg,
        distribution.style(),
        beeswarmLayout.arrange(distribution.values(), frame.x()),
        dots,
        radius);
    drawCentre(svg, frame, distribution, box, boxHalf);
  }

  /** One path of round caps for all dots: a tenth of the size of as many circles. */
  private static void drawDots(
      Svg svg, SeriesStyle style, List<BeeswarmLayout.Dot> dots, double middle, double radius) {
    StringBuilder path = new StringBuilder();
    for (BeeswarmLayout.Dot dot : dots) {
      path.append('M').append(Svg.number(dot.x())).append(' ');
      path.append(Svg.number(middle + dot.offset())).append("h0");
    }
    svg.emptyElement(
        "path",
        "class",
        style.lineClass(),
        "d",
        path.toString(),
        "stroke",
        style.colour(),
        "stroke-width",
        Svg.number(2 * radius),
        "stroke-linecap",
        "round",
        "stroke-opacity",
        "0.75");
  }

  private static void drawWhiskers(
      Svg svg, PlotFrame frame, Distribution distribution, double middle, double half) {
    double low = frame.x().at(distribution.quantile(0.1));
    double high = frame.x().at(distribution.quantile(0.9));
    double from = frame.x().at(distribution.quantile(0.25));
    double to = frame.x().at(distribution.quantile(0.75));
    String path =
        "M"
            + Svg.number(low)
            + " "
            + Svg.number(middle)
            + "H"
            + Svg.number(from)
            + "M"
            + Svg.number(to)
            + " "
            + Svg.number(middle)
            + "H"
            + Svg.number(high)
            + "M"
            + Svg.number(low)
            + " "
            + Svg.number(middle - half / 2)
            + "v"
            + Svg.number(half)
            + "M"
            + Svg.number(high)
            + " "
            + Svg.number(middle - half / 2)
            + "v"
            + Svg.number(half);
    svg.emptyElement(
        "path", "class", "k-ruler", "d", path, "stroke", Svg.MUTED, "stroke-width", "1.2");
    svg.emptyElement(
        "rect",
        "class",
        "k-box",
        "x",
        Svg.number(from),
        "y",
        Svg.number(middle - half),
        "width",
        Svg.number(Math.max(0.5, to - from)),
        "height",
        Svg.number(2 * half),
        "rx",
        "2",
        "fill",
        "#eceff2",
        "stroke",
        Svg.MUTED,
        "stroke-width",
        "1");
  }

  private static void drawCentre(
      Svg svg, PlotFrame frame, Distribution distribution, double middle, double half) {
    double median = frame.x().at(distribution.quantile(0.5));
    svg.emptyElement(
        "path",
        "class",
        "k-median",
        "d",
        "M"
            + Svg.number(median)
            + " "
            + Svg.number(middle - half - 3)
            + "v"
            + Svg.number(2 * half + 6),
        "stroke",
        Svg.INK,
        "stroke-width",
        "2.4");
    double mean = frame.x().at(distribution.mean());
    svg.emptyElement(
        "path",
        "class",
        "k-mean",
        "d",
        SeriesStyle.Marker.DIAMOND.path(mean, middle, 3.2),
        "fill",
        "#ffffff",
        "stroke",
        Svg.INK,
        "stroke-width",
        "1.3");
  }

  private double nameWidth() {
    double widest =
        distributions.stream()
            .mapToDouble(distribution -> TextStyle.LABEL.width(distribution.name()))
            .max()
            .orElse(0);
    return Math.min(widest, WIDEST_NAME);
  }

  private Extent extent() {
    Extent extent = Extent.EMPTY;
    for (Distribution distribution : distributions) {
      for (double value : distribution.values()) {
        extent = extent.with(value);
      }
    }
    return extent;
  }
}
