package io.kindred.report.plot;

import java.util.List;
import java.util.stream.IntStream;

/**
 * Which classes were taken for which: a row for each true class and a column for each predicted
 * class. The shade is the share of the row, so that rare classes show as much as frequent ones.
 */
public record ConfusionMap(String title, List<String> classes, List<Panel> panels, double width) {
  private static final double NAMES = 160;
  private static final double HEADING = 40;
  private static final double GAP = 24;
  private static final double WIDEST = 460;
  private static final double LARGEST_CELL = 34;

  /** Names may be drawn in a wider font than the one that was measured. */
  private static final double MARGIN = 1.1;

  /** A number is printed into cells of at least this side. */
  private static final double PRINTED_CELL = 22;

  private static final double LEAST_OPACITY = 0.06;

  /** White text reads better above this opacity. */
  private static final double DARK = 0.6;

  /**
   * The matrix of one method.
   *
   * @param samples row by row: how many samples of the class were taken for each class
   */
  public record Panel(String name, List<long[]> samples) {
    public Panel {
      samples = List.copyOf(samples);
    }
  }

  public ConfusionMap {
    classes = List.copyOf(classes);
    panels = List.copyOf(panels);
  }

  /** The chart as one SVG document. */
  public String svg() {
    double widestName =
        Math.min(NAMES - 10, classes.stream().mapToDouble(TextStyle.NOTE::width).max().orElse(0));
    double left = MARGIN * widestName + 10;
    double cell =
        Math.min(
            LARGEST_CELL, Math.min(WIDEST, width - left) / Math.max(1, (double) classes.size()));
    double side = cell * classes.size();
    ColumnNames names = new ColumnNames(classes, classes.size(), cell);
    int across = (int) Math.clamp((width + GAP) / (left + side + GAP), 1, panels.size());
    int down = (panels.size() + across - 1) / across;
    double panelHeight = HEADING + side + names.height() + 28;
    double head = title.isEmpty() ? 0 : 28;
    Svg svg = new Svg(new Size(width, head + down * panelHeight), "which class is taken for which");
    PlotFrame.drawTitle(svg, title, 0);
    for (int i = 0; i < panels.size(); i++) {
      double x = (i % across) * (left + side + GAP);
      int row = i / across;
      double y = head + row * panelHeight;
      String name = TextStyle.LABEL.truncatedToWidth(panels.get(i).name(), left + side);
      svg.text(x, y + 14, TextStyle.LABEL.asBold(), name);
      svg.text(x, y + 32, TextStyle.NOTE, "true class");
      drawRowNames(svg, x + left - 6, y + HEADING, cell);
      drawCells(svg, panels.get(i), x + left, y + HEADING, cell);
      names.draw(svg, x + left, y + HEADING + side);
      svg.text(
          x + left, y + HEADING + side + names.height() + 18, TextStyle.NOTE, "predicted class");
    }
    return svg.finish();
  }

  private void drawRowNames(Svg svg, double right, double top, double cell) {
    int every = (int) Math.ceil(13 / cell);
    for (int i = 0; i < classes.size(); i += every) {
      String name = TextStyle.NOTE.truncatedToWidth(classes.get(i), NAMES - 10);
      svg.text(right, top + (i + 0.5) * cell + 4, TextStyle.NOTE.rightAligned(), name);
    }
  }

  private void drawCells(Svg svg, Panel panel, double left, double top, double cell) {
    double gap = cell > 6 ? 1 : 0;
    for (int row = 0; row < classes.size(); row++) {
      long[] samples = panel.samples().get(row);
      long all = IntStream.range(0, samples.length).mapToLong(i -> samples[i]).sum();
      for (int column = 0; column < samples.length; column++) {
        if (samples[column] == 0) {
          continue;
        }
        double opacity =
            LEAST_OPACITY + (1 - LEAST_OPACITY) * samples[column] / (double) Math.max(1, all);
        double x = left + column * cell;
        double y = top + row * cell;
        svg.elementWithTooltip(
            classes.get(row) + " taken for " + classes.get(column) + ": " + samples[column],
            "rect",
            "class",
            "k-fill k-c0",
            "x",
            Svg.number(x),
            "y",
            Svg.number(y),
            "width",
            Svg.number(cell - gap),
            "height",
            Svg.number(cell - gap),
            "fill",
            "#0072B2",
            "fill-opacity",
            Svg.number(opacity));
        if (cell >= PRINTED_CELL) {
          drawNumber(svg, x + cell / 2, y + cell / 2 + 4, samples[column], opacity > DARK, cell);
        }
      }
    }
    svg.grid(left, top, left, top + cell * classes.size());
    svg.grid(
        left,
        top + cell * classes.size(),
        left + cell * classes.size(),
        top + cell * classes.size());
  }

  private static void drawNumber(
      Svg svg, double x, double y, long samples, boolean dark, double cell) {
    String number = Long.toString(samples);
    if (TextStyle.NOTE.width(number) > cell) {
      return;
    }
    if (dark) {
      svg.textWithFill(x, y, TextStyle.NOTE.centred(), number, "#ffffff");
    } else {
      svg.text(x, y, TextStyle.LABEL.centred(), number);
    }
  }
}
