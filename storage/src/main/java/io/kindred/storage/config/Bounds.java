package io.kindred.storage.config;

import io.kindred.core.config.PowerUnit;
import io.kindred.core.config.Setting;

/** The numbers a setting allows, and the logarithmic unit in which they may be written. */
record Bounds(double min, double max, double above, PowerUnit unit) {
  /** Up to here every whole number is a double, so it can be printed without a fraction. */
  private static final double LARGEST_EXACT = 9.007199254740992e15;

  static Bounds of(Setting setting) {
    return new Bounds(setting.min(), setting.max(), setting.above(), setting.unit());
  }

  boolean admits(double value) {
    return value >= min && value <= max && (!bounded(above) || value > above);
  }

  /** Such as {@code of at least 1}, {@code from 0 to 1}, or nothing. */
  String phrase() {
    String unitPhrase =
        switch (unit) {
          case NONE -> "";
          case RATIO -> " (a ratio, or in dB)";
          case WATTS -> " (watts, or in dBm)";
        };
    return (range() + unitPhrase).strip();
  }

  private String range() {
    if (bounded(above)) {
      return "above " + number(above) + (bounded(max) ? " and at most " + number(max) : "");
    }
    if (bounded(min) && bounded(max)) {
      return "from " + number(min) + " to " + number(max);
    }
    if (bounded(min)) {
      return "of at least " + number(min);
    }
    return bounded(max) ? "of at most " + number(max) : "";
  }

  private static boolean bounded(double bound) {
    return !Double.isInfinite(bound);
  }

  private static String number(double value) {
    boolean whole = value == Math.rint(value) && Math.abs(value) <= LARGEST_EXACT;
    return whole ? Long.toString((long) value) : Double.toString(value);
  }
}
