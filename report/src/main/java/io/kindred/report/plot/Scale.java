package io.kindred.report.plot;

/** Maps values to pixels between the first and the last tick; values outside are clamped. */
record Scale(AxisTicks ticks, double from, double to) {
  double at(double value) {
    double share = (value - ticks.low()) / (ticks.high() - ticks.low());
    return from + Math.clamp(share, 0.0, 1.0) * (to - from);
  }
}
