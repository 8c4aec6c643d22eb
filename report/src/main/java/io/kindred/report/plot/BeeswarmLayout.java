package io.kindred.report.plot;

import java.util.ArrayList;
import java.util.List;

/**
 * Places the dots of close values beside each other, so that the outline shows the density. The
 * layout uses no randomness: equal values always give equal figures.
 */
record BeeswarmLayout(double radius, double halfHeight) {
  record Dot(double x, double offset) {}

  List<Dot> arrange(List<Double> sortedValues, Scale scale) {
    double columnWidth = 2 * radius;
    List<Dot> dots = new ArrayList<>();
    int start = 0;
    while (start < sortedValues.size()) {
      double origin = scale.at(sortedValues.get(start));
      int end = start;
      while (end < sortedValues.size() && scale.at(sortedValues.get(end)) < origin + columnWidth) {
        end++;
      }
      addColumn(dots, sortedValues.subList(start, end), scale);
      start = end;
    }
    return dots;
  }

  /**
   * A column grows from the middle, alternating up and down, and is compressed if it would leave
   * the row.
   */
  private void addColumn(List<Dot> dots, List<Double> column, Scale scale) {
    double step = Math.min(2 * radius, 2 * halfHeight / Math.max(1, column.size()));
    double bottom = -step * (column.size() - 1) / 2;
    for (int i = 0; i < column.size(); i++) {
      dots.add(new Dot(scale.at(column.get(i)), bottom + i * step));
    }
  }
}
