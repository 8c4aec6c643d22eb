package io.kindred.report.plot;

import java.util.ArrayList;
import java.util.List;

/** A named line through points in drawing order. */
public record Series(String name, SeriesStyle style, List<Point> points) {
  public Series {
    points = List.copyOf(points);
  }

  /** The segments of consecutive points between gaps. */
  List<List<Point>> segments() {
    List<List<Point>> segments = new ArrayList<>();
    List<Point> current = new ArrayList<>();
    for (Point point : points) {
      if (point.drawable()) {
        current.add(point);
      } else if (!current.isEmpty()) {
        segments.add(current);
        current = new ArrayList<>();
      }
    }
    if (!current.isEmpty()) {
      segments.add(current);
    }
    return segments;
  }

  List<Point> drawable() {
    return points.stream().filter(Point::drawable).toList();
  }
}
