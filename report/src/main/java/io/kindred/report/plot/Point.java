package io.kindred.report.plot;

/**
 * One position of a series.
 *
 * @param y the value; NaN leaves a gap
 * @param spread half the height of the band around it; NaN for none
 */
public record Point(double x, double y, double spread) {
  public static Point of(double x, double y) {
    return new Point(x, y, Double.NaN);
  }

  boolean drawable() {
    return Double.isFinite(x) && Double.isFinite(y);
  }

  double spreadOrZero() {
    return Double.isFinite(spread) ? Math.abs(spread) : 0;
  }
}
