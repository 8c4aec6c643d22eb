package io.kindred.learning.data.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Groups of numbers by their size, of about equally many numbers each, where equal numbers are in
 * one group.
 *
 * @param bounds the largest number of each group but the last
 */
record TargetGroups(List<Double> bounds) {
  static TargetGroups of(double[] numbers, int groups) {
    double[] sorted = numbers.clone();
    Arrays.sort(sorted);
    List<Double> bounds = new ArrayList<>();
    for (int group = 1; group < groups; group++) {
      double bound = sorted[(int) ((long) group * sorted.length / groups)];
      boolean fresh = bounds.isEmpty() || bound > bounds.getLast();
      if (fresh && bound < sorted[sorted.length - 1]) {
        bounds.add(bound);
      }
    }
    return new TargetGroups(bounds);
  }

  TargetGroups {
    bounds = List.copyOf(bounds);
  }

  List<String> names() {
    List<String> names = new ArrayList<>();
    bounds.forEach(bound -> names.add("to " + text(bound)));
    names.add(bounds.isEmpty() ? "all" : "above " + text(bounds.getLast()));
    return names;
  }

  String name(double number) {
    int group = 0;
    while (group < bounds.size() && number > bounds.get(group)) {
      group++;
    }
    return names().get(group);
  }

  /** Exact, because two bounds must not have one name. */
  private static String text(double bound) {
    return bound == Math.rint(bound) && Math.abs(bound) < 1e15
        ? String.format(Locale.ROOT, "%.0f", bound)
        : Double.toString(bound);
  }
}
