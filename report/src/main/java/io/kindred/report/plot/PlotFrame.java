package io.kindred.report.plot;

/** The plotting area of a chart with its title, grid, tick labels and axis labels. */
record PlotFrame(Axis horizontal, Axis vertical, Scale x, Scale y) {
  private static final double TITLE_HEIGHT = 28;
  private static final double LABEL_HEIGHT = 22;

  /** Height taken by the title and the label of the vertical axis, above the plotting area. */
  static double headHeight(String title, Axis vertical) {
    return (title.isEmpty() ? 4 : TITLE_HEIGHT) + (vertical.label().isEmpty() ? 8 : LABEL_HEIGHT);
  }

  static double footHeight(Axis horizontal) {
    return horizontal.label().isEmpty() ? 24 : 44;
  }

  static double tickWidth(Axis axis, AxisTicks axisTicks) {
    return axisTicks.values().stream()
        .mapToDouble(value -> TextStyle.NOTE.width(axis.tick(value, axisTicks)))
        .max()
        .orElse(0);
  }

  static void drawTitle(Svg svg, String title, double x) {
    svg.text(x, 20, TextStyle.TITLE, title);
  }

  double left() {
    return x.from();
  }

  double right() {
    return x.to();
  }

  double top() {
    return y.to();
  }

  double bottom() {
    return y.from();
  }

  void drawVertical(Svg svg) {
    for (double value : y.ticks().values()) {
      double at = y.at(value);
      svg.grid(left(), at, right(), at);
      svg.text(left() - 8, at + 4, TextStyle.NOTE.rightAligned(), vertical.tick(value, y.ticks()));
    }
    svg.text(0, top() - 14, TextStyle.NOTE, vertical.label());
  }

  void drawHorizontal(Svg svg, boolean grid) {
    for (double value : x.ticks().values()) {
      double at = x.at(value);
      if (grid) {
        svg.grid(at, top(), at, bottom());
      } else {
        svg.axis(at, bottom(), at, bottom() + 4);
      }
      svg.text(at, bottom() + 18, TextStyle.NOTE.centred(), horizontal.tick(value, x.ticks()));
    }
    if (!grid) {
      svg.axis(left(), bottom(), right(), bottom());
    }
    svg.text((left() + right()) / 2, bottom() + 38, TextStyle.NOTE.centred(), horizontal.label());
  }
}
