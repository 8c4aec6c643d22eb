package io.kindred.report.plot;

import java.util.ArrayList;
import java.util.List;

/** A named line through points in drawing order. */
public record Series(String name, SeriesStyle style, List<Point> points) {
  public Series {
    points = List.copyOf(points);
  }

  /** The stretches between gaps, each without any gap. */
  List<List<Point>> segments() {
    List<List<Point>> stretches = new ArrayList<>();
    List<Point> current = new ArrayList<>();
    for (Point point : points) {
      if (point.drawable()) {
        current.add(point);
      } else if (!current.isEmpty()) {
        stretches.add(current);
        current = new ArrayList<>();
      }
    }
    if (!current.isEmpty()) {
      stretches.add(current);
    }
    return stretches;
  }

  List<Point> drawable() {
    return points.stream().filter(Point::drawable).toList();
  }
}
