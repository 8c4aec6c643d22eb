package io.kindred.report.plot;

import java.util.Locale;

/** The number format of an axis. */
public enum Notation {
  /** A fraction shown in percent. */
  PERCENT,
  /** A difference of fractions shown in signed percentage points. */
  POINTS,
  /** A number with an SI prefix where it is large or small. */
  SI,
  /** A number as it is. */
  PLAIN,
  /** Bytes with a decimal prefix. */
  BYTES,
  /** Seconds. */
  SECONDS,
  /** A whole number: ticks never fall between two whole numbers. */
  WHOLE;

  private static final String[] PREFIXES = {"p", "n", "µ", "m", "", "k", "M", "G", "T", "P"};
  private static final int UNIT_PREFIX = 4;
  private static final char MINUS = '−';

  /** The text of one tick; the step between ticks decides the number of decimals. */
  public String tick(double value, double step) {
    return switch (this) {
      case PERCENT -> signed(fixed(value * 100, step * 100), false) + " %";
      case POINTS -> signed(fixed(value * 100, step * 100), true);
      case SI -> prefixed(value, step, "");
      case PLAIN -> signed(fixed(value, step), false);
      case BYTES -> prefixed(value, step, "B");
      case SECONDS -> signed(fixed(value, step), false) + " s";
      case WHOLE -> signed(fixed(value, 1), false);
    };
  }

  /** The text of one measured value: about three digits. */
  public String value(double value) {
    return switch (this) {
      case PERCENT -> tick(value, 0.001);
      case POINTS -> tick(value, 0.001);
      case SI, PLAIN, BYTES, SECONDS -> tick(value, magnitude(value) / 100);
      case WHOLE -> tick(value, 1);
    };
  }

  double smallestStep() {
    return this == WHOLE ? 1 : 0;
  }

  private static double magnitude(double value) {
    return value == 0 ? 1 : Math.pow(10, Math.floor(Math.log10(Math.abs(value))));
  }

  private static String prefixed(double value, double step, String unit) {
    int index = UNIT_PREFIX;
    double scaled = value;
    double scaledStep = step;
    // 999.9996 must not print as "1000": the bound allows for rounding to four digits.
    while (Math.abs(scaled) >= 999.95 && index < PREFIXES.length - 1) {
      scaled /= 1000;
      scaledStep /= 1000;
      index++;
    }
    while (scaled != 0 && Math.abs(scaled) < 0.9995 && index > 0 && unit.isEmpty()) {
      scaled *= 1000;
      scaledStep *= 1000;
      index--;
    }
    String suffix = PREFIXES[index] + unit;
    return signed(fixed(scaled, scaledStep), false) + (suffix.isEmpty() ? "" : " " + suffix);
  }

  private static String fixed(double value, double step) {
    int decimals = step > 0 ? (int) Math.ceil(-Math.log10(step) - 1e-9) : 0;
    String text = String.format(Locale.ROOT, "%." + Math.clamp(decimals, 0, 9) + "f", value);
    return text.matches("-0(\\.0*)?") ? text.substring(1) : text;
  }

  private static String signed(String text, boolean plus) {
    if (text.startsWith("-")) {
      return MINUS + text.substring(1);
    }
    return plus && text.matches(".*[1-9].*") ? "+" + text : text;
  }
}
