package io.kindred.report.table;

import java.util.Locale;

/**
 * Header, alignment, number format and ranking of one table column.
 *
 * @param scale factor that values are multiplied with before printing, such as 100 for percent
 * @param decimals digits after the point
 */
public record Column(String header, Align align, double scale, int decimals, Best best) {
  /** Alignment of the cells. */
  public enum Align {
    LEFT,
    RIGHT
  }

  /** Which value of the column is marked as best. */
  public enum Best {
    NONE,
    HIGHEST,
    LOWEST
  }

  /** A column of text. */
  public static Column words(String header) {
    return new Column(header, Align.LEFT, 1, 0, Best.NONE);
  }

  /** A column of numbers printed as they are. */
  public static Column numbers(String header, int decimals, Best best) {
    return new Column(header, Align.RIGHT, 1, decimals, best);
  }

  /** A column of fractions printed in percent. */
  public static Column percent(String header, Best best) {
    return new Column(header, Align.RIGHT, 100, 1, best);
  }

  /** The column without any mark, for rows that must not be ranked. */
  public Column unranked() {
    return new Column(header, align, scale, decimals, Best.NONE);
  }

  public String print(double value) {
    return print(value, decimals);
  }

  String print(double value, int digits) {
    String text = String.format(Locale.ROOT, "%." + digits + "f", value * scale);
    return text.matches("-0(\\.0*)?") ? text.substring(1) : text;
  }
}
