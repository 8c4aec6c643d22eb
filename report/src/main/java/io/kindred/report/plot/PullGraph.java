package io.kindred.report.plot;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Who pulled whom: peers stand in circles, one circle for each group, and a line leads from a peer
 * to each peer whose models it mixed in. Lines inside a group have the colour of the group; lines
 * between groups are black, so that pulls from other groups stand out.
 */
public record PullGraph(String title, List<Group> groups, List<Pull> pulls) {
  private static final double WIDTH = 760;
  private static final double HEIGHT = 480;
  private static final double NODE = 5.5;
  private static final double SPACING = 34;
  private static final double GROUP_GAP = 64;
  private static final double BEND = 0.14;
  private static final TextStyle NUMBER = new TextStyle(9.5, "middle", false, false);

  /** A shape for each of several models that a peer can deploy. */
  public enum Shape {
    DOT(SeriesStyle.Marker.DOT),
    SQUARE(SeriesStyle.Marker.SQUARE),
    TRIANGLE(SeriesStyle.Marker.TRIANGLE),
    DIAMOND(SeriesStyle.Marker.DIAMOND);

    private final SeriesStyle.Marker marker;

    Shape(SeriesStyle.Marker marker) {
      this.marker = marker;
    }
  }

  /**
   * A peer.
   *
   * @param shape stands for the model that the peer deploys
   * @param model the name of this model, for the legend; empty if there is only one
   * @param tooltip more about the peer
   */
  public record Node(long number, Shape shape, String model, String tooltip) {}

  /** Peers that belong together; the note stands behind the name in the legend. */
  public record Group(String name, String note, List<Node> nodes) {
    public Group {
      nodes = List.copyOf(nodes);
    }

    private String label() {
      return note.isEmpty() ? name : name + ": " + note;
    }

    /** The radius at which neighbours on the circle have the usual distance. */
    private double radius() {
      return nodes.size() < 2 ? 0 : Math.max(16, nodes.size() * SPACING / (2 * Math.PI));
    }
  }

  /** One peer mixed in models of another one with this weight. */
  public record Pull(long by, long from, double weight) {}

  private record Place(int group, double x, double y, double centreX, double centreY) {}

  public PullGraph {
    groups = List.copyOf(groups);
    pulls = List.copyOf(pulls);
  }

  /** The chart as one SVG document. */
  public String svg() {
    double head = title.isEmpty() ? 2 : 28;
    Legend legend = new Legend(groupEntries(), -8, WIDTH);
    double top = head + legend.height();
    List<Node> shapes = shapes();
    double shapeRow = shapes.isEmpty() ? 0 : 22;
    double bottom = top + shapeRow + HEIGHT;
    Svg svg = new Svg(new Size(WIDTH, bottom), title.isEmpty() ? "Who pulled whom" : title);
    PlotFrame.drawTitle(svg, title, 0);
    legend.draw(svg, head);
    drawShapes(svg, shapes, top + 8);
    double middle = top + shapeRow + HEIGHT / 2;
    SortedMap<Long, Place> places = places(middle);
    double heaviest = pulls.stream().mapToDouble(Pull::weight).max().orElse(1);
    for (boolean between : new boolean[] {false, true}) {
      for (Pull pull : pulls.stream().sorted(Comparator.comparingDouble(Pull::weight)).toList()) {
        Place by = places.get(pull.by());
        Place from = places.get(pull.from());
        if (by != null && from != null && between == (by.group() != from.group())) {
          drawPull(svg, by, from, pull.weight() / heaviest);
        }
      }
    }
    drawGroups(svg, places);
    return svg.finish();
  }

  private List<Legend.Entry> groupEntries() {
    List<Legend.Entry> entries = new ArrayList<>();
    for (int i = 0; groups.size() > 1 && i < groups.size(); i++) {
      entries.add(new Legend.Entry(groups.get(i).label(), SeriesStyle.of(i), false));
    }
    return entries;
  }

  /** One node for each model, for the legend; empty if peers have no choice. */
  private List<Node> shapes() {
    SortedMap<Shape, Node> shapes = new TreeMap<>();
    groups.stream()
        .flatMap(group -> group.nodes().stream())
        .filter(node -> !node.model().isEmpty())
        .forEach(node -> shapes.putIfAbsent(node.shape(), node));
    return List.copyOf(shapes.values());
  }

  private static void drawShapes(Svg svg, List<Node> shapes, double y) {
    double x = 8;
    for (Node each : shapes) {
      marker(SeriesStyle.REFERENCE, each.shape()).drawMarker(svg, x, y, 4.5);
      svg.text(x + 11, y + 4, TextStyle.NOTE, each.model());
      x += 11 + TextStyle.NOTE.width(each.model()) + 22;
    }
  }

  private static SeriesStyle marker(SeriesStyle style, Shape shape) {
    return new SeriesStyle(style.colour(), style.styleClass(), "", shape.marker);
  }

  /** Groups get a share of the ellipse in proportion to their size, peers stand around a centre. */
  private SortedMap<Long, Place> places(double middle) {
    double largest = groups.stream().mapToDouble(Group::radius).max().orElse(0);
    boolean single = groups.size() == 1;
    double shrink = Math.min(1, (HEIGHT / 2 - 40) / Math.max(1, single ? largest : 1.9 * largest));
    double reachX = single ? 0 : WIDTH / 2 - shrink * largest - 40;
    double reachY = single ? 0 : HEIGHT / 2 - shrink * largest - 34;
    double whole = groups.stream().mapToDouble(each -> 2 * each.radius() + GROUP_GAP).sum();
    SortedMap<Long, Place> places = new TreeMap<>();
    double passed = 0;
    for (int i = 0; i < groups.size(); i++) {
      Group group = groups.get(i);
      double arc = 2 * group.radius() + GROUP_GAP;
      double bearing = 2 * Math.PI * (passed + arc / 2) / whole;
      passed += arc;
      double centreX = WIDTH / 2 + reachX * Math.sin(bearing);
      double centreY = middle - reachY * Math.cos(bearing);
      for (int j = 0; j < group.nodes().size(); j++) {
        double turn = 2 * Math.PI * j / group.nodes().size();
        places.put(
            group.nodes().get(j).number(),
            new Place(
                i,
                centreX + shrink * group.radius() * Math.sin(turn),
                centreY - shrink * group.radius() * Math.cos(turn),
                centreX,
                centreY));
      }
    }
    return places;
  }

  /** A bent line, so that the lines of two peers that pull each other do not hide each other. */
  private static void drawPull(Svg svg, Place by, Place from, double share) {
    double bendX = (by.x() + from.x()) / 2 + BEND * (from.y() - by.y());
    double bendY = (by.y() + from.y()) / 2 - BEND * (from.x() - by.x());
    SeriesStyle style =
        by.group() == from.group() ? SeriesStyle.of(by.group()) : SeriesStyle.REFERENCE;
    svg.emptyElement(
        "path",
        "class",
        style.lineClass(),
        "d",
        "M" + point(by.x(), by.y()) + "Q" + point(bendX, bendY) + " " + point(from.x(), from.y()),
        "fill",
        "none",
        "stroke",
        style.colour(),
        "stroke-width",
        Svg.number(0.5 + 2.1 * share),
        "stroke-opacity",
        Svg.number(0.2 + 0.55 * share));
  }

  private static String point(double x, double y) {
    return Svg.number(x) + " " + Svg.number(y);
  }

  private void drawGroups(Svg svg, Map<Long, Place> places) {
    for (int i = 0; i < groups.size(); i++) {
      Group group = groups.get(i);
      for (Node node : group.nodes()) {
        Place place = places.get(node.number());
        if (place != null) {
          drawNode(svg, node, SeriesStyle.of(i), place);
        }
      }
    }
  }

  private static void drawNode(Svg svg, Node node, SeriesStyle style, Place place) {
    double outX = place.x() - place.centreX();
    double outY = place.y() - place.centreY();
    double length = Math.max(1, Math.hypot(outX, outY));
    double away = 14;
    svg.elementWithTooltip(
        node.tooltip(),
        "path",
        "class",
        style.fillClass(),
        "d",
        node.shape().marker.path(place.x(), place.y(), NODE),
        "fill",
        style.colour());
    svg.text(
        place.x() + (length > 1 ? away * outX / length : 0),
        place.y() + (length > 1 ? away * outY / length : -away) + 3.5,
        NUMBER,
        Long.toString(node.number()));
  }
}
