package io.kindred.learning.data.format;

import io.kindred.core.config.SettingException;
import io.kindred.core.record.Buildable;
import java.util.List;

/**
 * How the text of a table becomes cells.
 *
 * @param header whether the first line names the columns
 * @param names names of the columns in place of those of a header; empty to take the header, or to
 *     number the columns from 1
 * @param separator one character, or one of {@code auto}, {@code tab} and {@code blank}
 * @param gaps cells that mean a missing value
 */
@Buildable
public record TableFormat(
    boolean header,
    List<String> names,
    String separator,
    Decimal decimal,
    Encoding encoding,
    List<String> gaps) {
  /** The sign before decimal places. */
  public enum Decimal {
    POINT,
    COMMA
  }

  /** The encoding of text files. */
  public enum Encoding {
    /** UTF-8, or UTF-16 where a byte order mark says so. */
    UTF8,
    /** Windows-1252, the extension of Latin-1 that spreadsheets write. */
    LATIN1
  }

  /** Cells that mean a missing value if nothing else is said. */
  public static final List<String> GAPS =
      List.of("", "?", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "-");

  /** A header, a separator that is found, decimal points, and the usual words for gaps. */
  public static final TableFormat USUAL =
      new TableFormat(true, List.of(), "auto", Decimal.POINT, Encoding.UTF8, GAPS);

  public TableFormat {
    names = List.copyOf(names);
    gaps = List.copyOf(gaps);
    boolean word = List.of("auto", "tab", "blank").contains(separator);
    if (!word && (separator.length() != 1 || separator.equals("\""))) {
      throw new SettingException(
          "separator",
          "'" + separator + "' is not a single character",
          "choose one such as ',' or ';', or tab, blank or auto");
    }
  }

  /** Whether a cell holds no value. */
  public boolean isGap(String cell) {
    return cell.isEmpty() || gaps.contains(cell);
  }

  /** The number that a cell holds; NaN if it holds none. */
  public double number(String cell) {
    String plain = decimal == Decimal.COMMA ? cell.replace(',', '.') : cell;
    boolean several = decimal == Decimal.COMMA && cell.indexOf('.') >= 0;
    return !several && isNumber(plain) ? Double.parseDouble(plain) : Double.NaN;
  }

  /** Whether commas in the place of decimal points would make the cell a number. */
  public static boolean isNumberWithComma(String cell) {
    return cell.indexOf('.') < 0 && cell.indexOf(',') >= 0 && isNumber(cell.replace(',', '.'));
  }

  /** Digits with at most one point and an exponent; Java would take more, such as 1f and NaN. */
  public static boolean isNumber(String text) {
    int at = sign(text, 0);
    int digits = digits(text, at);
    at += digits;
    if (at < text.length() && text.charAt(at) == '.') {
      int decimals = digits(text, at + 1);
      at += 1 + decimals;
      digits += decimals;
    }
    if (digits == 0) {
      return false;
    }
    if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
      int from = sign(text, at + 1);
      int exponent = digits(text, from);
      if (exponent == 0) {
        return false;
      }
      at = from + exponent;
    }
    return at == text.length();
  }

  private static int sign(String text, int at) {
    return at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+') ? at + 1 : at;
  }

  private static int digits(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    return at - from;
  }
}
