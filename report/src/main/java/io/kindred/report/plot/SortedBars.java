package io.kindred.report.plot;

import java.util.Comparator;
import java.util.List;

/**
 * Signed values as bars in falling order, one panel per method on a common scale: gains are at the
 * left and point up, losses are at the right and point down.
 */
public record SortedBars(String title, Axis axis, List<Panel> panels, double width) {
  private static final double PANEL_HEIGHT = 150;
  private static final double HEADING = 46;
  private static final double GAP = 26;
  private static final int MOST_SINGLE_BARS = 150;
  private static final String GAIN = "#0072B2";
  private static final String LOSS = "#D55E00";

  /** One value with the name shown when the pointer rests on its bar. */
  public record Bar(String name, double value) {}

  /** The bars of one method; values that are not finite are left out. */
  public record Panel(String name, List<Bar> bars) {
    public Panel {
      bars =
          bars.stream()
              .filter(bar -> Double.isFinite(bar.value()))
              .sorted(Comparator.comparingDouble(Bar::value).reversed())
              .toList();
    }

    public long gaining() {
      return bars.stream().filter(bar -> bar.value() > 0).count();
    }

    public long losing() {
      return bars.stream().filter(bar -> bar.value() < 0).count();
    }

    public double mean() {
      return bars.stream().mapToDouble(Bar::value).average().orElse(Double.NaN);
    }
  }

  public SortedBars {
    panels = List.copyOf(panels);
  }

  public SortedBars(String title, Axis axis, List<Panel> panels) {
    this(title, axis, panels, Size.STANDARD.width());
  }

  /** The chart as one SVG document. */
  public String svg() {
    int columns = Math.clamp(panels.size(), 1, 3);
    int rows = Math.max(1, (panels.size() + columns - 1) / columns);
    double head = title.isEmpty() ? 0 : 28;
    AxisTicks axisTicks = axis.ticks(extent(), 5);
    double left = PlotFrame.tickWidth(axis, axisTicks) + 14;
    double panelWidth = (width - left - 4 - (columns - 1) * GAP) / columns;
    double rowHeight = HEADING + PANEL_HEIGHT + 14;
    Size size = new Size(width, head + 22 + rows * rowHeight);
    Svg svg = new Svg(size, title.isEmpty() ? axis.label() : title);
    PlotFrame.drawTitle(svg, title, 0);
    svg.text(0, head + 14, TextStyle.NOTE, axis.label());
    for (int i = 0; i < panels.size(); i++) {
      double x = left + (i % columns) * (panelWidth + GAP);
      int row = i / columns;
      double top = head + 22 + row * rowHeight + HEADING;
      Scale y = new Scale(axisTicks, top + PANEL_HEIGHT, top);
      drawGrid(svg, y, x, x + panelWidth, i % columns == 0);
      drawPanel(svg, panels.get(i), y, x, panelWidth);
    }
    return svg.finish();
  }

  private void drawGrid(Svg svg, Scale y, double from, double to, boolean labelled) {
    for (double value : y.ticks().values()) {
      double at = y.at(value);
      svg.grid(from, at, to, at);
      if (labelled) {
        svg.text(from - 8, at + 4, TextStyle.NOTE.rightAligned(), axis.tick(value, y.ticks()));
      }
    }
  }

  private void drawPanel(Svg svg, Panel panel, Scale y, double left, double room) {
    svg.text(
        left,
        y.to() - 26,
        TextStyle.LABEL.asBold(),
        TextStyle.LABEL.truncatedToWidth(panel.name(), room));
    svg.text(left, y.to() - 10, TextStyle.NOTE, gainSummary(panel));
    double slot = room / Math.max(1, panel.bars().size());
    if (panel.bars().size() <= MOST_SINGLE_BARS) {
      for (int i = 0; i < panel.bars().size(); i++) {
        Bar bar = panel.bars().get(i);
        String hint = bar.name() + ": " + axis.notation().value(bar.value());
        drawBars(svg, hint, bar.value() < 0, outline(y, left + i * slot, slot, bar.value()));
      }
    } else {
      drawBars(svg, "", false, outlines(panel, y, left, slot, false));
      drawBars(svg, "", true, outlines(panel, y, left, slot, true));
    }
    svg.axis(left, y.at(0), left + room, y.at(0));
  }

  private String gainSummary(Panel panel) {
    if (panel.bars().isEmpty()) {
      return "no peers in common";
    }
    return panel.gaining()
        + " gain, "
        + panel.losing()
        + " lose; mean "
        + axis.notation().value(panel.mean());
  }

  private static String outlines(Panel panel, Scale y, double left, double slot, boolean negative) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < panel.bars().size(); i++) {
      double value = panel.bars().get(i).value();
      if (value < 0 == negative) {
        path.append(outline(y, left + i * slot, slot, value));
      }
    }
    return path.toString();
  }

  private static String outline(Scale y, double x, double slot, double value) {
    // A gap between bars only where it is wide enough to be seen.
    double bar = slot >= 4 ? slot - 1.2 : slot;
    return "M"
        + Svg.number(x)
        + " "
        + Svg.number(y.at(0))
        + "V"
        + Svg.number(y.at(value))
        + "h"
        + Svg.number(bar)
        + "V"
        + Svg.number(y.at(0))
        + "Z";
  }

  private static void drawBars(Svg svg, String hint, boolean negative, String path) {
    if (!path.isEmpty()) {
      String type = negative ? "k-fill k-c1" : "k-fill k-c0";
      svg.elementWithTooltip(
          hint, "path", "class", type, "d", path, "fill", negative ? LOSS : GAIN);
    }
  }

  private Extent extent() {
    Extent extent = Extent.EMPTY;
    for (Panel panel : panels) {
      for (Bar bar : panel.bars()) {
        extent = extent.with(bar.value());
      }
    }
    return extent;
  }
}
