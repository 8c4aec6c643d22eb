package io.kindred.environment.topology;

/**
 * Points of the unit square sorted into cells as wide as a radius, so that all points within the
 * radius of a point lie in its cell or in an adjacent one.
 */
final class CellGrid {
  /** Takes two points, the lower first, and the square of their distance. */
  interface PairConsumer {
    void accept(int a, int b, double squared);
  }

  private final double[] x;
  private final double[] y;
  private final double radius;
  private final int cellsPerSide;
  private final int[] start;
  private final int[] members;

  CellGrid(double[] x, double[] y, double radius) {
    this.x = x;
    this.y = y;
    this.radius = radius;
    // No more cells than points, however small the radius.
    cellsPerSide = (int) Math.max(1, Math.min(Math.sqrt(x.length), 1 / radius));
    start = new int[cellsPerSide * cellsPerSide + 1];
    for (int i = 0; i < x.length; i++) {
      start[cell(i) + 1]++;
    }
    for (int i = 0; i < cellsPerSide * cellsPerSide; i++) {
      start[i + 1] += start[i];
    }
    int[] next = start.clone();
    members = new int[x.length];
    for (int i = 0; i < x.length; i++) {
      members[next[cell(i)]++] = i;
    }
  }

  private int cell(int point) {
    return cellIndex(y[point]) * cellsPerSide + cellIndex(x[point]);
  }

  /** The row or column of a coordinate. */
  private int cellIndex(double coordinate) {
    return (int) (coordinate * cellsPerSide);
  }

  void forEachPair(PairConsumer consumer) {
    for (int a = 0; a < x.length; a++) {
      int column = cellIndex(x[a]);
      int row = cellIndex(y[a]);
      for (int r = Math.max(0, row - 1); r <= Math.min(cellsPerSide - 1, row + 1); r++) {
        // The members of a row's cells are contiguous.
        int from = start[r * cellsPerSide + Math.max(0, column - 1)];
        int to = start[r * cellsPerSide + Math.min(cellsPerSide - 1, column + 1) + 1];
        for (int i = from; i < to; i++) {
          emitIfWithinRadius(a, members[i], consumer);
        }
      }
    }
  }

  private void emitIfWithinRadius(int a, int b, PairConsumer consumer) {
    if (b > a) {
      double dx = x[a] - x[b];
      double dy = y[a] - y[b];
      double squared = dx * dx + dy * dy;
      if (squared <= radius * radius) {
        consumer.accept(a, b, squared);
      }
    }
  }
}
