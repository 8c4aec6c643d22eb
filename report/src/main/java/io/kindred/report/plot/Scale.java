package io.kindred.report.plot;

/** Maps values between the ends of the ticks to a stretch of pixels; values outside stop there. */
record Scale(AxisTicks ticks, double from, double to) {
  double at(double value) {
    double share = (value - ticks.low()) / (ticks.high() - ticks.low());
    return from + Math.clamp(share, 0.0, 1.0) * (to - from);
  }
}
