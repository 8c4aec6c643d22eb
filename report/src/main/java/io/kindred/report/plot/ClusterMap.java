package io.kindred.report.plot;

import java.util.List;

/**
 * Clusters around their heads, panel by panel. A needle shows the direction of a client or, in
 * bold, of a cluster; up is the direction of all clients together. A larger circle means a longer
 * computing time of the client; a longer line to the head means a longer model transfer.
 */
public record ClusterMap(String title, List<Panel> panels) {
  private static final double TOP = 62;
  private static final double CELL = 210;
  private static final double GAP = 36;
  private static final double NEAR = 34;
  private static final double FAR = 80;

  /** One client. */
  public record Node(String name, boolean head, double size, double delay, double angle) {}

  /** One cluster. */
  public record Group(String label, List<Node> nodes, double angle) {
    public Group {
      nodes = List.copyOf(nodes);
    }
  }

  /** One clustering. */
  public record Panel(String name, List<Group> groups) {
    public Panel {
      groups = List.copyOf(groups);
    }

    private int columns() {
      return (int) Math.ceil(Math.sqrt(groups.size()));
    }

    private int rows() {
      return groups.isEmpty() ? 0 : (groups.size() + columns() - 1) / columns();
    }
  }

  public ClusterMap {
    panels = List.copyOf(panels);
  }

  /** The chart as one SVG document. */
  public String svg() {
    double width = panels.stream().mapToDouble(each -> each.columns() * CELL + GAP).sum() - GAP;
    int rows = panels.stream().mapToInt(Panel::rows).max().orElse(0);
    Svg svg = new Svg(new Size(Math.max(width, 560), TOP + rows * CELL + 34), title);
    PlotFrame.drawTitle(svg, title, 0);
    double longest =
        panels.stream()
            .flatMap(panel -> panel.groups().stream())
            .flatMap(group -> group.nodes().stream())
            .mapToDouble(Node::delay)
            .max()
            .orElse(1);
    double left = 0;
    for (Panel panel : panels) {
      svg.text(left, TOP - 14, TextStyle.LABEL.asBold(), panel.name());
      for (int i = 0; i < panel.groups().size(); i++) {
        int row = i / panel.columns();
        double x = left + (i % panel.columns() + 0.5) * CELL;
        double y = TOP + (row + 0.5) * CELL;
        draw(svg, panel.groups().get(i), SeriesStyle.of(i), x, y, longest);
      }
      left += panel.columns() * CELL + GAP;
    }
    svg.text(
        0,
        TOP + rows * CELL + 20,
        TextStyle.NOTE,
        "needle: update direction, up is that of all clients; size: computing time; line: time to the head");
    return svg.finish();
  }

  private static void draw(
      Svg svg, Group group, SeriesStyle style, double x, double y, double longest) {
    List<Node> members = group.nodes().stream().filter(node -> !node.head()).toList();
    for (int i = 0; i < members.size(); i++) {
      Node node = members.get(i);
      double bearing = 2 * Math.PI * i / members.size();
      double distance = NEAR + (FAR - NEAR) * (longest > 0 ? node.delay() / longest : 0);
      double atX = x + distance * Math.sin(bearing);
      double atY = y - distance * Math.cos(bearing);
      svg.axis(x, y, atX, atY);
      drawNode(svg, node, style, atX, atY);
    }
    group.nodes().stream().filter(Node::head).forEach(head -> drawNode(svg, head, style, x, y));
    drawNeedle(svg, x, y, 34, group.angle(), "3.2");
    svg.text(x, y + CELL / 2 - 6, TextStyle.NOTE.centred(), group.label());
  }

  private static void drawNode(Svg svg, Node node, SeriesStyle style, double x, double y) {
    SeriesStyle shape =
        new SeriesStyle(
            style.colour(),
            style.styleClass(),
            "",
            node.head() ? SeriesStyle.Marker.SQUARE : SeriesStyle.Marker.DOT);
    shape.drawMarker(svg, x, y, 4 + 5 * node.size());
    drawNeedle(svg, x, y, 17, node.angle(), "1.4");
    svg.text(x + 9, y + 13, TextStyle.NOTE, node.name());
  }

  private static void drawNeedle(
      Svg svg, double x, double y, double length, double bearing, String width) {
    svg.emptyElement(
        "line",
        "class",
        "k-line k-c7",
        "x1",
        Svg.number(x),
        "y1",
        Svg.number(y),
        "x2",
        Svg.number(x + length * Math.sin(bearing)),
        "y2",
        Svg.number(y - length * Math.cos(bearing)),
        "stroke",
        "#000000",
        "stroke-width",
        width);
  }
}
