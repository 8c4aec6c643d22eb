package io.kindred.report.plot;

import java.util.ArrayList;
import java.util.List;

/** Round numbers (1, 2 or 5 times a power of ten) that cover a range of values. */
public record AxisTicks(double low, double high, double step, List<Double> values) {
  public AxisTicks {
    values = List.copyOf(values);
  }

  /** Ticks around the range, at most the given number where the smallest step permits. */
  public static AxisTicks covering(double low, double high, int atMost, double smallestStep) {
    double from = Double.isFinite(low) ? low : 0;
    double to = Double.isFinite(high) ? high : 1;
    if (to < from) {
      return covering(to, from, atMost, smallestStep);
    }
    if (to - from <= Math.abs(to) * 1e-9) {
      // A single value: widen the range a little so that the value sits in the middle.
      double margin = Math.max(Math.abs(to) * 0.05, smallestStep > 0 ? smallestStep : 1e-3);
      from -= margin;
      to += margin;
    }
    int most = Math.max(2, atMost);
    AxisTicks axisTicks =
        atMultiplesOf(from, to, Math.max(smallestStep, roundedStep((to - from) / most)));
    while (axisTicks.values.size() > most + 1) {
      axisTicks = atMultiplesOf(from, to, roundedStep(axisTicks.step * 1.01));
    }
    return axisTicks;
  }

  /** The same ticks, clipped to hard limits such as 0 and 1 for a fraction. */
  AxisTicks within(double lowest, double highest) {
    double from = Math.max(low, lowest);
    double to = Math.min(high, highest);
    if (from >= to) {
      return this;
    }
    double slack = step * 1e-6;
    List<Double> kept =
        values.stream().filter(value -> value >= from - slack && value <= to + slack).toList();
    return new AxisTicks(from, to, step, kept);
  }

  private static double roundedStep(double rawStep) {
    double power = Math.pow(10, Math.floor(Math.log10(rawStep)));
    double mantissa = rawStep / power;
    double nice = mantissa <= 1.0000001 ? 1 : mantissa <= 2 ? 2 : mantissa <= 5 ? 5 : 10;
    return nice * power;
  }

  private static AxisTicks atMultiplesOf(double low, double high, double step) {
    long first = (long) Math.floor(low / step + 1e-9);
    long last = (long) Math.ceil(high / step - 1e-9);
    List<Double> values = new ArrayList<>();
    for (long multiple = first; multiple <= last; multiple++) {
      values.add(multipleOf(multiple, step));
    }
    return new AxisTicks(multipleOf(first, step), multipleOf(last, step), step, values);
  }

  /** Dividing whole numbers where the step is a fraction keeps 3 x 0.1 at 0.3. */
  private static double multipleOf(long multiple, double step) {
    double unit = Math.pow(10, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
    return multiple * (double) Math.round(step * unit) / unit;
  }
}
