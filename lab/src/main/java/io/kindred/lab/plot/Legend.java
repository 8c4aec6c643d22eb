package io.kindred.lab.plot;

import java.util.ArrayList;
import java.util.List;

/** Names beside a sample of each look, wrapped into as many rows as the width needs. */
record Legend(List<Entry> entries, double left, double right) {
  private static final double SAMPLE = 26;
  private static final double ROW = 19;
  private static final double GAP = 18;

  record Entry(String name, Look look, boolean asLine) {}

  private record Spot(Entry entry, String name, double x, int row) {}

  Legend {
    entries = List.copyOf(entries);
  }

  double height() {
    List<Spot> spots = spots();
    return spots.isEmpty() ? 0 : (spots.getLast().row() + 1) * ROW + 6;
  }

  void draw(Svg svg, double top) {
    for (Spot spot : spots()) {
      double y = top + spot.row() * ROW + 8;
      if (spot.entry().asLine()) {
        drawLine(svg, spot.entry().look(), spot.x(), y);
      } else {
        drawBlock(svg, spot.entry().look(), spot.x() + 8, y);
      }
      svg.text(spot.x() + SAMPLE + 6, y + 4, Letters.LABEL, spot.name());
    }
  }

  private static void drawLine(Svg svg, Look look, double x, double y) {
    svg.leaf(
        "path",
        "class",
        look.lineClass(),
        "d",
        "M" + Svg.number(x) + " " + Svg.number(y) + "h" + Svg.number(SAMPLE),
        "stroke",
        look.colour(),
        "stroke-width",
        "2",
        "stroke-dasharray",
        look.dash());
    look.drawMarker(svg, x + SAMPLE / 2, y, 3.2);
  }

  private static void drawBlock(Svg svg, Look look, double x, double y) {
    svg.leaf(
        "rect",
        "class",
        look.fillClass(),
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
        look.colour());
  }

  private List<Spot> spots() {
    List<Spot> spots = new ArrayList<>();
    double x = left;
    int row = 0;
    for (Entry entry : entries) {
      String name = Letters.LABEL.fitted(entry.name(), (right - left) / 2);
      double width = SAMPLE + 6 + Letters.LABEL.width(name) + GAP;
      if (x > left && x + width - GAP > right) {
        x = left;
        row++;
      }
      spots.add(new Spot(entry, name, x, row));
      x += width;
    }
    return spots;
  }
}
