package io.kindred.report.table;

import java.util.ArrayList;
import java.util.List;

/** Fits text into a number of columns, one column for each character. */
public final class TextWidth {
  private static final String ELLIPSIS = "…";

  private TextWidth() {}

  static int length(String text) {
    return text.codePointCount(0, text.length());
  }

  /**
   * The text, without its middle where it is longer than the limit: names that begin alike often
   * differ at the end.
   */
  public static String shorten(String text, int limit) {
    int length = length(text);
    if (length <= limit) {
      return text;
    }
    if (limit <= 1) {
      return limit <= 0 ? "" : ELLIPSIS;
    }
    int tail = (limit - 1) / 2;
    int head = limit - 1 - tail;
    return text.substring(0, text.offsetByCodePoints(0, head))
        + ELLIPSIS
        + text.substring(text.offsetByCodePoints(0, length - tail));
  }

  /** The lines of a text that is broken between words; only a longer word exceeds the limit. */
  public static List<String> wrap(String text, int limit) {
    List<String> lines = new ArrayList<>();
    for (String word : text.split(" ", -1)) {
      if (lines.isEmpty() || length(lines.getLast()) + 1 + length(word) > limit) {
        lines.add(word);
      } else {
        lines.add(lines.removeLast() + " " + word);
      }
    }
    return lines;
  }
}
