package io.kindred.report.plot;

import java.util.Locale;

/** Writes SVG elements in order; escapes every text and attribute; prints at most two decimals. */
final class Svg {
  static final String INK = "#1c2127";
  static final String MUTED = "#5d6673";
  static final String GRID = "#e3e6ea";
  static final String AXIS = "#9aa3ad";

  private final StringBuilder out = new StringBuilder(8192);

  Svg(Size size, String description) {
    out.append("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"k-plot\" role=\"img\"");
    attribute("width", number(size.width()));
    attribute("height", number(size.height()));
    attribute("viewBox", "0 0 " + number(size.width()) + " " + number(size.height()));
    attribute("aria-label", description);
    attribute("font-family", "sans-serif");
    attribute("font-size", "12");
    out.append(">\n");
    emptyElement(
        "rect",
        "class",
        "k-paper",
        "width",
        number(size.width()),
        "height",
        number(size.height()),
        "fill",
        "#ffffff");
  }

  /** An element without content; attributes come as name, value, name, value. */
  Svg emptyElement(String element, String... attributes) {
    start(element, attributes);
    out.append("/>\n");
    return this;
  }

  /** An element whose only content is a tooltip, or none where the text is empty. */
  Svg elementWithTooltip(String tooltip, String element, String... attributes) {
    if (tooltip.isEmpty()) {
      return emptyElement(element, attributes);
    }
    start(element, attributes);
    out.append("><title>").append(escape(tooltip)).append("</title></");
    out.append(element).append(">\n");
    return this;
  }

  Svg text(double x, double y, TextStyle style, String content) {
    return text(
        x, y, style, content, style.muted() ? "k-muted" : "k-ink", style.muted() ? MUTED : INK);
  }

  /** Text from bottom to top that ends at the point. */
  Svg textUpTo(double x, double y, TextStyle style, String content) {
    out.append("<g");
    attribute("transform", "rotate(-90 " + number(x) + " " + number(y) + ")");
    out.append(">\n");
    text(x, y, style.rightAligned(), content);
    out.append("</g>\n");
    return this;
  }

  /** Text with a fixed colour, for a background that does not change with the page's theme. */
  Svg textWithFill(double x, double y, TextStyle style, String content, String fill) {
    return text(x, y, style, content, "k-on", fill);
  }

  private Svg text(double x, double y, TextStyle style, String content, String kind, String fill) {
    if (content.isEmpty()) {
      return this;
    }
    out.append("<text");
    attribute("x", number(x));
    attribute("y", number(y));
    attribute("class", kind);
    attribute("fill", fill);
    attribute("font-size", number(style.size()));
    if (style.bold()) {
      attribute("font-weight", "700");
    }
    if (!style.anchor().equals("start")) {
      attribute("text-anchor", style.anchor());
    }
    out.append('>').append(escape(content)).append("</text>\n");
    return this;
  }

  Svg grid(double fromX, double fromY, double toX, double toY) {
    return line("k-grid", GRID, fromX, fromY, toX, toY);
  }

  Svg axis(double fromX, double fromY, double toX, double toY) {
    return line("k-axis", AXIS, fromX, fromY, toX, toY);
  }

  /** A dark line that separates dark areas. */
  Svg rule(double fromX, double fromY, double toX, double toY) {
    return line("k-median", INK, fromX, fromY, toX, toY);
  }

  private Svg line(String type, String colour, double x1, double y1, double x2, double y2) {
    return emptyElement(
        "line",
        "class",
        type,
        "x1",
        number(x1),
        "y1",
        number(y1),
        "x2",
        number(x2),
        "y2",
        number(y2),
        "stroke",
        colour);
  }

  String finish() {
    return out.append("</svg>\n").toString();
  }

  private void start(String element, String... attributes) {
    out.append('<').append(element);
    for (int i = 0; i + 1 < attributes.length; i += 2) {
      if (!attributes[i + 1].isEmpty()) {
        attribute(attributes[i], attributes[i + 1]);
      }
    }
  }

  private void attribute(String name, String value) {
    out.append(' ').append(name).append("=\"").append(escape(value)).append('"');
  }

  /** A coordinate with at most two decimals and no trailing zeros: short files, stable bytes. */
  static String number(double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("a coordinate must be finite, but is " + value);
    }
    long hundredths = Math.round(value * 100);
    if (hundredths % 100 == 0) {
      return Long.toString(hundredths / 100);
    }
    String text = String.format(Locale.ROOT, "%.2f", hundredths / 100.0);
    return text.endsWith("0") ? text.substring(0, text.length() - 1) : text;
  }

  /** Escapes markup and drops the control characters that XML 1.0 cannot carry at all. */
  static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            point -> {
              switch (point) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.appendCodePoint(legal(point) ? point : 0xFFFD);
              }
            });
    return escaped.toString();
  }

  private static boolean legal(int point) {
    boolean surrogate = point >= 0xD800 && point <= 0xDFFF;
    boolean control = point < 0x20 && point != '\t' && point != '\n' && point != '\r';
    return !surrogate && !control && point != 0xFFFE && point != 0xFFFF;
  }
}
