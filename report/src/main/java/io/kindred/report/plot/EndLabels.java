package io.kindred.report.plot;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Series names at the ends of their lines. Overlapping labels are moved apart; if a label would end
 * up too far from its line, no label is placed and the chart uses a legend instead.
 */
record EndLabels(List<PlacedLabel> labels) {
  private static final double LINE_HEIGHT = 15;
  private static final double FARTHEST = 26;

  record LineEnd(String name, SeriesStyle style, double x, double y) {}

  record PlacedLabel(LineEnd end, double labelY) {}

  EndLabels {
    labels = List.copyOf(labels);
  }

  static EndLabels place(List<LineEnd> lineEnds, double top, double bottom) {
    List<LineEnd> sorted = new ArrayList<>(lineEnds);
    sorted.sort(Comparator.comparingDouble(LineEnd::y));
    double[] wanted = sorted.stream().mapToDouble(LineEnd::y).toArray();
    double[] position = wanted.clone();
    for (int sweep = 0; sweep < 60; sweep++) {
      spread(position, top, bottom);
    }
    List<PlacedLabel> placedLabel = new ArrayList<>();
    for (int i = 0; i < position.length; i++) {
      boolean touching = i > 0 && position[i] - position[i - 1] < LINE_HEIGHT - 1;
      if (touching || Math.abs(position[i] - wanted[i]) > FARTHEST) {
        return new EndLabels(List.of());
      }
      placedLabel.add(new PlacedLabel(sorted.get(i), position[i]));
    }
    return new EndLabels(placedLabel);
  }

  /** Pushes each overlapping pair apart by half the overlap each, then back into the frame. */
  private static void spread(double[] position, double top, double bottom) {
    for (int i = 1; i < position.length; i++) {
      double overlap = LINE_HEIGHT - (position[i] - position[i - 1]);
      if (overlap > 0) {
        position[i] += overlap / 2;
        position[i - 1] -= overlap / 2;
      }
    }
    for (int i = 0; i < position.length; i++) {
      position[i] = Math.clamp(position[i], top, bottom);
    }
  }

  void draw(Svg svg, double labelX, double room) {
    for (PlacedLabel placedLabel : labels) {
      LineEnd lineEnd = placedLabel.end();
      String path =
          "M"
              + Svg.number(lineEnd.x() + 5)
              + " "
              + Svg.number(lineEnd.y())
              + "L"
              + Svg.number(labelX - 4)
              + " "
              + Svg.number(placedLabel.labelY());
      svg.emptyElement(
          "path",
          "class",
          lineEnd.style().lineClass(),
          "d",
          path,
          "fill",
          "none",
          "stroke",
          lineEnd.style().colour(),
          "stroke-width",
          "1",
          "opacity",
          "0.7");
      svg.text(
          labelX,
          placedLabel.labelY() + 4,
          TextStyle.LABEL,
          TextStyle.LABEL.truncatedToWidth(lineEnd.name(), room));
    }
  }
}
