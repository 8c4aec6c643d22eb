package io.kindred.report.plot;

import java.util.ArrayList;
import java.util.List;

/** Series names beside a sample of each style, wrapped into as many rows as the width requires. */
record Legend(List<Entry> entries, double left, double right) {
  private static final double SAMPLE_WIDTH = 26;
  private static final double ROW = 19;
  private static final double GAP = 18;

  record Entry(String name, SeriesStyle style, boolean asLine) {}

  private record PlacedEntry(Entry entry, String name, double x, int row) {}

  Legend {
    entries = List.copyOf(entries);
  }

  double height() {
    List<PlacedEntry> placedEntries = placedEntries();
    return placedEntries.isEmpty() ? 0 : (placedEntries.getLast().row() + 1) * ROW + 6;
  }

  void draw(Svg svg, double top) {
    for (PlacedEntry placedEntry : placedEntries()) {
      double y = top + placedEntry.row() * ROW + 8;
      if (placedEntry.entry().asLine()) {
        drawLine(svg, placedEntry.entry().style(), placedEntry.x(), y);
      } else {
        drawBlock(svg, placedEntry.entry().style(), placedEntry.x() + 8, y);
      }
      svg.text(placedEntry.x() + SAMPLE_WIDTH + 6, y + 4, TextStyle.LABEL, placedEntry.name());
    }
  }

  private static void drawLine(Svg svg, SeriesStyle style, double x, double y) {
    svg.emptyElement(
        "path",
        "class",
        style.lineClass(),
        "d",
        "M" + Svg.number(x) + " " + Svg.number(y) + "h" + Svg.number(SAMPLE_WIDTH),
        "stroke",
        style.colour(),
        "stroke-width",
        "2",
        "stroke-dasharray",
        style.dash());
    style.drawMarker(svg, x + SAMPLE_WIDTH / 2, y, 3.2);
  }

  private static void drawBlock(Svg svg, SeriesStyle style, double x, double y) {
    svg.emptyElement(
        "rect",
        "class",
        style.fillClass(),
        "x",
        Svg.number(x + 2),
        "y",
        Svg.number(y - 6),
        "width",
        "14",
        "height",
        "12",
        "rx",
        "2",
        "fill",
        style.colour());
  }

  private List<PlacedEntry> placedEntries() {
    List<PlacedEntry> placedEntries = new ArrayList<>();
    double x = left;
    int row = 0;
    for (Entry entry : entries) {
      String name = TextStyle.LABEL.truncatedToWidth(entry.name(), (right - left) / 2);
      double width = SAMPLE_WIDTH + 6 + TextStyle.LABEL.width(name) + GAP;
      if (x > left && x + width - GAP > right) {
        x = left;
        row++;
      }
      placedEntries.add(new PlacedEntry(entry, name, x, row));
      x += width;
    }
    return placedEntries;
  }
}
