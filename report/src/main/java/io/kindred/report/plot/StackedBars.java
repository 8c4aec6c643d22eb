package io.kindred.report.plot;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/** One horizontal bar per method, divided into named parts; the total is printed at its end. */
public record StackedBars(String title, Axis axis, List<Stack> stacks, double width) {
  private static final double ROW = 34;
  private static final double BAR = 20;
  private static final double WIDEST_NAME = 300;

  /** Dark and light alternate, so that adjacent parts differ in grey, too. */
  private static final List<SeriesStyle> STYLES =
      List.of(
          SeriesStyle.of(0),
          SeriesStyle.of(4),
          SeriesStyle.REFERENCE,
          SeriesStyle.of(1),
          SeriesStyle.of(5));

  /**
   * A named length; a length that is not positive is not drawn but keeps its position in the order.
   */
  public record Part(String name, double value) {
    boolean drawn() {
      return value > 0 && Double.isFinite(value);
    }
  }

  /** One bar. */
  public record Stack(String name, List<Part> parts) {
    public Stack {
      parts = List.copyOf(parts);
    }

    /** Whether there is nothing to draw. */
    public boolean isBlank() {
      return parts.stream().noneMatch(Part::drawn);
    }

    double total() {
      return parts.stream().filter(Part::drawn).mapToDouble(Part::value).sum();
    }
  }

  public StackedBars {
    stacks = List.copyOf(stacks);
  }

  public StackedBars(String title, Axis axis, List<Stack> stacks) {
    this(title, axis, stacks, Size.STANDARD.width());
  }

  /** The chart as one SVG document. */
  public String svg() {
    List<String> names = partNames();
    Legend legend = new Legend(entries(names), -8, width);
    double head = title.isEmpty() ? 2 : 28;
    double top = head + legend.height() + 6;
    double bottom = top + Math.max(1, stacks.size()) * ROW;
    double left = nameWidth() + 24;
    Scale x = new Scale(axis.ticks(extent(), 7), left, width - 64);
    Scale y = new Scale(AxisTicks.covering(0, 1, 2, 1), bottom, top);
    PlotFrame frame = new PlotFrame(axis, Axis.whole(""), x, y);
    Svg svg =
        new Svg(
            new Size(width, bottom + PlotFrame.footHeight(axis)),
            title.isEmpty() ? axis.label() : title);
    PlotFrame.drawTitle(svg, title, 0);
    legend.draw(svg, head);
    frame.drawHorizontal(svg, true);
    for (int i = 0; i < stacks.size(); i++) {
      drawStack(svg, frame, stacks.get(i), names, top + (i + 0.5) * ROW);
    }
    return svg.finish();
  }

  private void drawStack(Svg svg, PlotFrame frame, Stack stack, List<String> names, double middle) {
    String name = TextStyle.LABEL.truncatedToWidth(stack.name(), WIDEST_NAME);
    svg.text(frame.left() - 12, middle + 4, TextStyle.LABEL.rightAligned(), name);
    double reached = 0;
    for (Part part : stack.parts().stream().filter(Part::drawn).toList()) {
      double from = frame.x().at(reached);
      reached += part.value();
      double to = frame.x().at(reached);
      SeriesStyle style = styleOf(names.indexOf(part.name()));
      svg.elementWithTooltip(
          part.name() + ": " + axis.notation().value(part.value()),
          "rect",
          "class",
          style.fillClass(),
          "x",
          Svg.number(from),
          "y",
          Svg.number(middle - BAR / 2),
          "width",
          // A thin gap between parts keeps them apart for readers without colour.
          Svg.number(Math.max(0.4, to - from - 1)),
          "height",
          Svg.number(BAR),
          "fill",
          style.colour());
    }
    String total = stack.isBlank() ? "-" : axis.notation().value(stack.total());
    svg.text(frame.x().at(stack.total()) + 7, middle + 4, TextStyle.NOTE, total);
  }

  private static SeriesStyle styleOf(int part) {
    return STYLES.get(part % STYLES.size());
  }

  private static List<Legend.Entry> entries(List<String> names) {
    List<Legend.Entry> entries = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      entries.add(new Legend.Entry(names.get(i), styleOf(i), false));
    }
    return entries;
  }

  /** All names in the order of the parts, without names that no bar draws. */
  private List<String> partNames() {
    SequencedSet<String> names = new LinkedHashSet<>();
    stacks.forEach(stack -> stack.parts().forEach(part -> names.add(part.name())));
    return names.stream().filter(this::drawnAnywhere).toList();
  }

  private boolean drawnAnywhere(String name) {
    return stacks.stream()
        .flatMap(stack -> stack.parts().stream())
        .anyMatch(part -> part.drawn() && part.name().equals(name));
  }

  private double nameWidth() {
    double widest =
        stacks.stream().mapToDouble(stack -> TextStyle.LABEL.width(stack.name())).max().orElse(0);
    return Math.min(widest, WIDEST_NAME);
  }

  private Extent extent() {
    Extent extent = Extent.EMPTY;
    for (Stack stack : stacks) {
      extent = extent.with(stack.total());
    }
    return extent;
  }
}
