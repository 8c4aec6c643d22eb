package io.kindred.report.plot;

import java.util.List;

/**
 * Values as shaded cells, one row per peer and one column per label; shows the distribution of
 * labels over peers. Darker is more; a single hue also reads well in grey.
 *
 * @param columnNames names of the columns from left to right; empty to number them
 */
public record HeatMap(
    String title,
    String rowLabel,
    String columnLabel,
    List<String> columnNames,
    List<Row> rows,
    double width) {
  private static final double TALLEST = 420;
  private static final double LEFT = 64;

  /** Values of one row from left to right; the largest value of all rows is the darkest. */
  public record Row(String name, List<Double> values) {
    public Row {
      values = List.copyOf(values);
    }
  }

  public HeatMap {
    columnNames = List.copyOf(columnNames);
    rows = List.copyOf(rows);
  }

  /** The chart as one SVG document. */
  public String svg() {
    double top = (title.isEmpty() ? 4 : 28) + 22;
    double cell = Math.min(18, TALLEST / Math.max(1, rows.size()));
    int columns = rows.stream().mapToInt(row -> row.values().size()).max().orElse(0);
    double cellWidth = (width - LEFT - 8) / Math.max(1, columns);
    double bottom = top + Math.max(1, rows.size()) * cell;
    ColumnNames names = new ColumnNames(columnNames, columns, cellWidth);
    Svg svg =
        new Svg(new Size(width, bottom + names.height() + 26), title.isEmpty() ? rowLabel : title);
    PlotFrame.drawTitle(svg, title, 0);
    svg.text(0, top - 10, TextStyle.NOTE, rowLabel);
    svg.text(LEFT, bottom + names.height() + 20, TextStyle.NOTE, columnLabel);
    int everyRow = (int) Math.ceil(14 / cell);
    double most = largest();
    for (int i = 0; i < rows.size(); i++) {
      if (i % everyRow == 0) {
        String name = TextStyle.NOTE.truncatedToWidth(rows.get(i).name(), LEFT - 12);
        svg.text(LEFT - 8, top + i * cell + cell / 2 + 4, TextStyle.NOTE.rightAligned(), name);
      }
      drawRow(svg, rows.get(i), most, top + i * cell, cellWidth, cell);
    }
    names.draw(svg, LEFT, bottom);
    return svg.finish();
  }

  private static void drawRow(
      Svg svg, Row row, double most, double y, double cellWidth, double cellHeight) {
    double gap = cellHeight > 6 && cellWidth > 6 ? 1 : 0;
    for (int j = 0; j < row.values().size(); j++) {
      double value = row.values().get(j);
      if (!(value > 0) || !Double.isFinite(value)) {
        continue;
      }
      svg.emptyElement(
          "rect",
          "class",
          "k-fill k-c0",
          "x",
          Svg.number(LEFT + j * cellWidth),
          "y",
          Svg.number(y),
          "width",
          Svg.number(cellWidth - gap),
          "height",
          Svg.number(cellHeight - gap),
          "fill",
          "#0072B2",
          "fill-opacity",
          // The square root keeps small shares visible beside one dominant label.
          Svg.number(0.08 + 0.92 * Math.sqrt(value / most)));
    }
  }

  private double largest() {
    Extent extent = Extent.EMPTY;
    for (Row row : rows) {
      for (double value : row.values()) {
        extent = extent.with(value);
      }
    }
    return extent.high() > 0 ? extent.high() : 1;
  }
}
