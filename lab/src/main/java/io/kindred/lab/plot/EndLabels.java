package io.kindred.lab.plot;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Names written where lines end. Labels that would touch are moved apart; where one would end up
 * too far from its line, nothing is placed and the chart falls back to a legend.
 */
record EndLabels(List<Placed> labels) {
  private static final double LINE_HEIGHT = 15;
  private static final double FARTHEST = 26;

  record End(String name, Look look, double x, double y) {}

  record Placed(End end, double labelY) {}

  EndLabels {
    labels = List.copyOf(labels);
  }

  static EndLabels place(List<End> ends, double top, double bottom) {
    List<End> sorted = new ArrayList<>(ends);
    sorted.sort(Comparator.comparingDouble(End::y));
    double[] wanted = sorted.stream().mapToDouble(End::y).toArray();
    double[] position = wanted.clone();
    for (int sweep = 0; sweep < 60; sweep++) {
      spread(position, top, bottom);
    }
    List<Placed> placed = new ArrayList<>();
    for (int i = 0; i < position.length; i++) {
      boolean touching = i > 0 && position[i] - position[i - 1] < LINE_HEIGHT - 1;
      if (touching || Math.abs(position[i] - wanted[i]) > FARTHEST) {
        return new EndLabels(List.of());
      }
      placed.add(new Placed(sorted.get(i), position[i]));
    }
    return new EndLabels(placed);
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
    for (Placed placed : labels) {
      End end = placed.end();
      String path =
          "M"
              + Svg.number(end.x() + 5)
              + " "
              + Svg.number(end.y())
              + "L"
              + Svg.number(labelX - 4)
              + " "
              + Svg.number(placed.labelY());
      svg.leaf(
          "path",
          "class",
          end.look().lineClass(),
          "d",
          path,
          "fill",
          "none",
          "stroke",
          end.look().colour(),
          "stroke-width",
          "1",
          "opacity",
          "0.7");
      svg.text(labelX, placed.labelY() + 4, Letters.LABEL, Letters.LABEL.fitted(end.name(), room));
    }
  }
}
