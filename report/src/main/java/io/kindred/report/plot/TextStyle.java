package io.kindred.report.plot;

import java.util.ArrayList;
import java.util.List;

/** Size and weight of a text, and an estimate of its width that needs no font. */
record TextStyle(double size, String anchor, boolean bold, boolean muted) {
  static final TextStyle TITLE = new TextStyle(15, "start", true, false);
  static final TextStyle LABEL = new TextStyle(12, "start", false, false);
  static final TextStyle NOTE = new TextStyle(11.5, "start", false, true);

  TextStyle rightAligned() {
    return new TextStyle(size, "end", bold, muted);
  }

  TextStyle centred() {
    return new TextStyle(size, "middle", bold, muted);
  }

  TextStyle asBold() {
    return new TextStyle(size, anchor, true, muted);
  }

  /** A slight over-estimate for common sans-serif fonts, so that layouts keep some space. */
  double width(String text) {
    double ems = text.codePoints().mapToDouble(TextStyle::emWidth).sum();
    return ems * size * (bold ? 1.07 : 1.0);
  }

  /** The text itself, or its beginning and an ellipsis if it is wider than the available width. */
  String truncatedToWidth(String text, double available) {
    if (width(text) <= available) {
      return text;
    }
    String shorter = text;
    while (!shorter.isEmpty() && width(shorter + "…") > available) {
      shorter = shorter.substring(0, shorter.offsetByCodePoints(shorter.length(), -1));
    }
    return shorter + "…";
  }

  /** The text in lines that fit the available width as far as its words allow. */
  List<String> wrappedToWidth(String text, double available) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split(" ", -1)) {
      if (!line.isEmpty() && width(line + " " + word) > available) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines;
  }

  private static double emWidth(int point) {
    if ("iljI.,:;'|!".indexOf(point) >= 0) {
      return 0.3;
    }
    if ("frt()[]-/ ".indexOf(point) >= 0) {
      return 0.38;
    }
    if ("mwMW%@=".indexOf(point) >= 0) {
      return 0.92;
    }
    return Character.isUpperCase(point) ? 0.7 : 0.58;
  }
}
