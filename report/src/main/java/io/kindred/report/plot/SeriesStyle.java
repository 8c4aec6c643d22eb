package io.kindred.report.plot;

import java.util.List;

/**
 * Colour, dash pattern and marker of one series. Cycles of different length keep at least twenty
 * series apart, and any two neighbours differ in dash and marker too, for readers without colour.
 */
public record SeriesStyle(String colour, String styleClass, String dash, Marker marker) {
  /** Black, dashed and hollow, for the method that all others are compared with. */
  public static final SeriesStyle REFERENCE =
      new SeriesStyle("#000000", "k-c7", "5 3", Marker.RING);

  // Okabe and Ito 2008, "Color Universal Design", without yellow: too pale for lines on white.
  private static final List<String> COLOURS =
      List.of("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#6B6B6B");
  private static final List<String> DASHES = List.of("", "8 3", "2 2.5", "9 3 2 3", "14 4");

  /** The style of the series at this position, the same in every chart. */
  public static SeriesStyle of(int position) {
    int colour = Math.floorMod(position, COLOURS.size());
    Marker[] markers = Marker.values();
    return new SeriesStyle(
        COLOURS.get(colour),
        "k-c" + colour,
        DASHES.get(Math.floorMod(position, DASHES.size())),
        // The last marker, the ring, is reserved for the reference.
        markers[Math.floorMod(position, markers.length - 1)]);
  }

  /** A marker is a closed outline around its centre. */
  public enum Marker {
    DOT,
    SQUARE,
    TRIANGLE,
    DIAMOND,
    WEDGE,
    PLUS,
    RING;

    String path(double x, double y, double radius) {
      double r = radius;
      return switch (this) {
        case DOT, RING -> move(x - r, y) + arc(r, x + r, y) + arc(r, x - r, y) + "Z";
        case SQUARE -> closed(x - r, y - r, x + r, y - r, x + r, y + r, x - r, y + r);
        case TRIANGLE ->
            closed(x, y - 1.25 * r, x + 1.2 * r, y + 0.9 * r, x - 1.2 * r, y + 0.9 * r);
        case DIAMOND -> closed(x, y - 1.35 * r, x + 1.35 * r, y, x, y + 1.35 * r, x - 1.35 * r, y);
        case WEDGE -> closed(x, y + 1.25 * r, x - 1.2 * r, y - 0.9 * r, x + 1.2 * r, y - 0.9 * r);
        case PLUS -> plus(x, y, 1.35 * r, 0.45 * r);
      };
    }

    private static String plus(double x, double y, double far, double near) {
      return closed(
          x - near, y - far, x + near, y - far, x + near, y - near, x + far, y - near, x + far,
          y + near, x + near, y + near, x + near, y + far, x - near, y + far, x - near, y + near,
          x - far, y + near, x - far, y - near, x - near, y - near);
    }

    private static String closed(double... corners) {
      StringBuilder path = new StringBuilder();
      for (int i = 0; i < corners.length; i += 2) {
        path.append(i == 0 ? 'M' : 'L').append(Svg.number(corners[i])).append(' ');
        path.append(Svg.number(corners[i + 1]));
      }
      return path.append('Z').toString();
    }

    private static String move(double x, double y) {
      return "M" + Svg.number(x) + " " + Svg.number(y);
    }

    private static String arc(double r, double x, double y) {
      String radius = Svg.number(r);
      return "A" + radius + " " + radius + " 0 1 1 " + Svg.number(x) + " " + Svg.number(y);
    }
  }

  String lineClass() {
    return "k-line " + styleClass;
  }

  String fillClass() {
    return "k-fill " + styleClass;
  }

  void drawMarker(Svg svg, double x, double y, double radius) {
    if (marker == Marker.RING) {
      svg.emptyElement(
          "path",
          "class",
          "k-hollow " + styleClass,
          "d",
          marker.path(x, y, radius),
          "fill",
          "#ffffff",
          "stroke",
          colour,
          "stroke-width",
          "1.3");
    } else {
      svg.emptyElement(
          "path", "class", fillClass(), "d", marker.path(x, y, radius), "fill", colour);
    }
  }
}
