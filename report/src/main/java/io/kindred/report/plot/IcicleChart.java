package io.kindred.report.plot;

import java.util.List;

/**
 * A hierarchy as rows of blocks: below each block lie its children, each as wide as its size. Rows
 * alternate between two shades and have names at the left. A tooltip describes each block; a block
 * wide enough also shows its name.
 *
 * @param rows names of the rows from the top down; empty for none
 */
public record IcicleChart(
    String title, String note, List<String> rows, List<Block> top, double width) {
  /** A block; its size is the sum of its children's sizes, or its own if it has no children. */
  public record Block(String name, String label, double size, List<Block> children) {
    public Block {
      children = List.copyOf(children);
    }

    double total() {
      return children.isEmpty() ? size : children.stream().mapToDouble(Block::total).sum();
    }

    int depth() {
      return 1 + children.stream().mapToInt(Block::depth).max().orElse(0);
    }
  }

  private static final double ROW = 34;
  private static final double BASELINE = 20;
  private static final double MARGIN = 8;
  private static final double LEAST_GAP_WIDTH = 4;
  private static final List<String> SHADES = List.of("#0072B2", "#56B4E9");
  private static final List<String> INKS = List.of("#ffffff", "#000000");

  public IcicleChart {
    rows = List.copyOf(rows);
    top = List.copyOf(top);
  }

  /** The chart as one SVG document. */
  public String svg() {
    double under = title.isEmpty() ? 4 : 28;
    int depth = top.stream().mapToInt(Block::depth).max().orElse(1);
    double bottom = under + depth * ROW;
    Svg svg = new Svg(new Size(width, Math.max(60, bottom + 28)), title.isEmpty() ? note : title);
    PlotFrame.drawTitle(svg, title, 0);
    svg.text(MARGIN, bottom + 18, TextStyle.NOTE, note);
    double named = rows.stream().mapToDouble(TextStyle.NOTE::width).max().orElse(0);
    double left = MARGIN + (named > 0 ? named + MARGIN : 0);
    for (int i = 0; i < Math.min(depth, rows.size()); i++) {
      svg.text(MARGIN, under + i * ROW + BASELINE, TextStyle.NOTE, rows.get(i));
    }
    double all = top.stream().mapToDouble(Block::total).sum();
    drawRow(svg, top, left, under, all > 0 ? (width - left - MARGIN) / all : 0, 0);
    return svg.finish();
  }

  private static void drawRow(
      Svg svg, List<Block> blocks, double left, double y, double scale, int row) {
    double x = left;
    for (Block block : blocks) {
      double wide = block.total() * scale;
      double gap = wide > LEAST_GAP_WIDTH ? 1 : 0;
      svg.elementWithTooltip(
          block.label(),
          "rect",
          "class",
          "k-fill k-c" + (row % 2 == 0 ? 0 : 5),
          "x",
          Svg.number(x),
          "y",
          Svg.number(y),
          "width",
          Svg.number(Math.max(0.2, wide - gap)),
          "height",
          Svg.number(ROW - 2),
          "fill",
          SHADES.get(row % 2));
      if (TextStyle.LABEL.width(block.name()) + LEAST_GAP_WIDTH < wide) {
        svg.textWithFill(
            x + wide / 2, y + BASELINE, TextStyle.LABEL.centred(), block.name(), INKS.get(row % 2));
      }
      drawRow(svg, block.children(), x, y + ROW, scale, row + 1);
      x += wide;
    }
  }
}
