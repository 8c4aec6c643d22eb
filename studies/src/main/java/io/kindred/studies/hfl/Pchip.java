package io.kindred.studies.hfl;

import java.util.OptionalDouble;

/**
 * A piecewise cubic curve through given points that rises where they rise and nowhere overshoots
 * (Fritsch and Carlson, Monotone Piecewise Cubic Interpolation, 1980; slopes by Fritsch and
 * Butland's weighted harmonic mean, as SciPy and MATLAB have it). The libraries at hand have no
 * monotone interpolation: Hipparchus 4.0.3 offers Akima's and natural splines, which may overshoot,
 * and ojAlgo 57.1.0 none of this kind.
 */
public final class Pchip {
  private static final int HALVINGS = 60;

  private final double[] xs;
  private final double[] ys;
  private final double[] slopes;

  /** Takes at least two points, from left to right. */
  public Pchip(double[] xs, double[] ys) {
    if (xs.length < 2 || xs.length != ys.length) {
      throw new IllegalArgumentException(
          "a curve needs two points or more, got " + xs.length + " and " + ys.length);
    }
    this.xs = xs.clone();
    this.ys = ys.clone();
    slopes = slopes();
  }

  private double[] slopes() {
    int last = xs.length - 1;
    double[] widths = new double[last];
    double[] secants = new double[last];
    for (int i = 0; i < last; i++) {
      widths[i] = xs[i + 1] - xs[i];
      secants[i] = (ys[i + 1] - ys[i]) / widths[i];
    }
    double[] all = new double[xs.length];
    if (last == 1) {
      all[0] = secants[0];
      all[1] = secants[0];
      return all;
    }
    for (int i = 1; i < last; i++) {
      if (secants[i - 1] * secants[i] > 0) {
        double left = 2 * widths[i] + widths[i - 1];
        double right = widths[i] + 2 * widths[i - 1];
        all[i] = (left + right) / (left / secants[i - 1] + right / secants[i]);
      }
    }
    all[0] = endSlope(widths[0], widths[1], secants[0], secants[1]);
    all[last] = endSlope(widths[last - 1], widths[last - 2], secants[last - 1], secants[last - 2]);
    return all;
  }

  /** Three points decide the slope at an end, unless that would turn the curve around. */
  private static double endSlope(double near, double far, double nearSecant, double farSecant) {
    double slope = ((2 * near + far) * nearSecant - near * farSecant) / (near + far);
    if (Math.signum(slope) != Math.signum(nearSecant)) {
      return 0;
    }
    return Math.signum(nearSecant) != Math.signum(farSecant)
            && Math.abs(slope) > 3 * Math.abs(nearSecant)
        ? 3 * nearSecant
        : slope;
  }

  /** The curve's value at a position between the first point and the last. */
  public double at(double x) {
    int i = 0;
    while (i < xs.length - 2 && x > xs[i + 1]) {
      i++;
    }
    double width = xs[i + 1] - xs[i];
    double t = (x - xs[i]) / width;
    double s = 1 - t;
    return s * s * (1 + 2 * t) * ys[i]
        + t * t * (1 + 2 * s) * ys[i + 1]
        + width * t * s * (s * slopes[i] - t * slopes[i + 1]);
  }

  /** The first position where the curve reaches the height; empty if no point does. */
  public OptionalDouble firstReaching(double height) {
    if (ys[0] >= height) {
      return OptionalDouble.of(xs[0]);
    }
    for (int i = 1; i < xs.length; i++) {
      if (ys[i] >= height) {
        return OptionalDouble.of(bisect(xs[i - 1], xs[i], height));
      }
    }
    return OptionalDouble.empty();
  }

  /** Within a piece the curve only rises, so bisection finds the position. */
  private double bisect(double from, double to, double height) {
    double low = from;
    double high = to;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (at(middle) < height) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }
}
