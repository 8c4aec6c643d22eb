package io.kindred.report.plot;

/**
 * The scale of an axis: label, notation and limits.
 *
 * @param lowest a hard limit below which the axis never reaches, NaN for none
 * @param highest a hard limit above which the axis never reaches, NaN for none
 * @param anchor a value the axis always shows, such as zero for totals, NaN for none
 */
public record Axis(String label, Notation notation, double lowest, double highest, double anchor) {

  /** Fractions shown in percent; the axis follows the values and never leaves 0 to 100 %. */
  public static Axis percent(String label) {
    return new Axis(label, Notation.PERCENT, 0, 1, Double.NaN);
  }

  /** Signed differences of fractions; zero is always shown. */
  public static Axis points(String label) {
    return new Axis(label, Notation.POINTS, Double.NaN, Double.NaN, 0);
  }

  /** Whole numbers such as rounds. */
  public static Axis whole(String label) {
    return new Axis(label, Notation.WHOLE, Double.NaN, Double.NaN, Double.NaN);
  }

  /** Totals of bytes from zero. */
  public static Axis bytes(String label) {
    return new Axis(label, Notation.BYTES, 0, Double.NaN, 0);
  }

  /** Amounts from zero, in the unit that the label names. */
  public static Axis amount(String label) {
    return new Axis(label, Notation.PLAIN, 0, Double.NaN, 0);
  }

  /** Durations from zero. */
  public static Axis seconds(String label) {
    return new Axis(label, Notation.SECONDS, 0, Double.NaN, 0);
  }

  AxisTicks ticks(Extent extent, int atMost) {
    double low = Double.isNaN(anchor) ? extent.low() : Math.min(extent.low(), anchor);
    double high = Double.isNaN(anchor) ? extent.high() : Math.max(extent.high(), anchor);
    return AxisTicks.covering(low, high, atMost, notation.smallestStep())
        .within(
            Double.isNaN(lowest) ? Double.NEGATIVE_INFINITY : lowest,
            Double.isNaN(highest) ? Double.POSITIVE_INFINITY : highest);
  }

  /** Ticks for positions where the axis ends exactly at the data, as rounds do. */
  AxisTicks tightTicks(Extent extent, int atMost) {
    AxisTicks axisTicks = ticks(extent, atMost);
    boolean single = !(extent.high() > extent.low());
    return single || !Double.isNaN(anchor)
        ? axisTicks
        : axisTicks.within(extent.low(), extent.high());
  }

  String tick(double value, AxisTicks axisTicks) {
    return notation.tick(value, axisTicks.step());
  }
}
