package io.kindred.report.plot;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The names below the columns of a matrix: side by side if they fit, else from bottom to top. Where
 * columns are narrower than a line of text, some names are left out.
 */
final class ColumnNames {
  private static final double LONGEST = 130;
  private static final double LINE = 13;
  private static final double GAP = 6;

  private final List<String> names;
  private final double cell;
  private final boolean upright;
  private final double widest;

  /**
   * @param names empty to number the columns from 0
   * @param cell width of a column
   */
  ColumnNames(List<String> names, int columns, double cell) {
    this.names =
        names.isEmpty() ? IntStream.range(0, columns).mapToObj(Integer::toString).toList() : names;
    this.cell = cell;
    this.widest =
        Math.min(LONGEST, this.names.stream().mapToDouble(TextStyle.NOTE::width).max().orElse(0));
    // Numbers may be thinned out, since a reader can count between them; names may not.
    this.upright = !names.isEmpty() && widest + GAP > cell;
  }

  /** Space below the columns. */
  double height() {
    return upright ? widest + GAP : 18;
  }

  void draw(Svg svg, double left, double top) {
    int every = (int) Math.ceil((upright ? LINE : Math.min(26, widest + GAP)) / cell);
    for (int j = 0; j < names.size(); j += Math.max(1, every)) {
      double x = left + (j + 0.5) * cell;
      String name = TextStyle.NOTE.truncatedToWidth(names.get(j), LONGEST);
      if (upright) {
        svg.textUpTo(x + 4, top + GAP, TextStyle.NOTE, name);
      } else {
        svg.text(x, top + 18, TextStyle.NOTE.centred(), name);
      }
    }
  }
}
