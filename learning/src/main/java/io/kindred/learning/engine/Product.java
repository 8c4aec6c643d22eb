package io.kindred.learning.engine;

import static io.kindred.learning.engine.Lanes.COUNT;
import static io.kindred.learning.engine.Lanes.SPECIES;
import static io.kindred.learning.engine.Lanes.WIDTH;

import jdk.incubator.vector.FloatVector;

/**
 * A matrix times columns of registers: out[row][column] = start[row] + sum over k of left[row][k]
 * right[k][column]. Every product of a network has this form: scores and slopes of dense layers,
 * and convolutions, where {@code places} says which neighbour each step looks at. Inner loops hold
 * a few rows times a few columns in registers, so that each load serves several multiply-adds; they
 * are written out variable by variable because only local variables become registers.
 *
 * <p>The order of every sum, whatever tile it falls into: runs of {@link #RUN} steps, each one
 * chain of multiply-adds from zero, added to the start one after another. {@link ProductReference}
 * says it in plain loops. A run of steps of a tile's columns fits the first-level cache.
 */
final class Product {
  static final int RUN = 128;

  /** With fewer than 32 registers, tiles of four columns would spill. */
  private static final boolean MANY_REGISTERS = WIDTH != 8;

  private final int rowStep;
  private final int step;
  private final int[] places;
  private final int[] from;
  private final int outRow;
  private final int outColumn;
  private final float[] tile = new float[20 * COUNT];
  // What the run at hand works on; fields, because a dozen parameters would hide the arithmetic.
  private float[] starts = {};
  private int startsAt;
  private float[] left = {};
  private float[] right = {};
  private int rightAt;
  private float[] out = {};
  private int first;
  private int last;

  /**
   * {@code left[row][k]} lies at row times {@code rowStep} plus k times {@code step}; {@code
   * right[k][column]} at {@code places[k]} plus {@code from[column]}; {@code out[row][column]} at
   * row times {@code outRow} plus column times {@code outColumn}.
   */
  Product(int rowStep, int step, int[] places, int[] from, int outRow, int outColumn) {
    this.rowStep = rowStep;
    this.step = step;
    this.places = places;
    this.from = from;
    this.outRow = outRow;
    this.outColumn = outColumn;
  }

  /** From which value of {@code starts} on each row's start is read. */
  Product startingAt(float[] starts, int startsAt) {
    this.starts = starts;
    this.startsAt = startsAt;
    return this;
  }

  /** Adds the tile to what is there, or at the first run of steps to the start. */
  private void finish(int row, int to, int rows, int columns) {
    for (int r = 0; r < rows; r++) {
      int at = to + r * outRow;
      int from = r * columns * COUNT;
      if (first == 0) {
        FloatVector start = FloatVector.broadcast(SPECIES, starts[startsAt + row + r]);
        for (int column = 0; column < columns; column++) {
          FloatVector.fromArray(SPECIES, tile, from + column * COUNT)
              .add(start)
              .intoArray(out, at + column * outColumn);
        }
      } else {
        for (int column = 0; column < columns; column++) {
          FloatVector.fromArray(SPECIES, tile, from + column * COUNT)
              .add(FloatVector.fromArray(SPECIES, out, at + column * outColumn))
              .intoArray(out, at + column * outColumn);
        }
      }
    }
  }

  /** The products of {@code rows} rows and {@code columns} columns over {@code steps} steps. */
  void run(
      float[] left,
      int leftAt,
      float[] right,
      int rightAt,
      float[] out,
      int outAt,
      int rows,
      int columns,
      int steps) {
    this.left = left;
    this.right = right;
    this.rightAt = rightAt;
    this.out = out;
    for (first = 0; first < steps; first += RUN) {
      last = Math.min(first + RUN, steps);
      int column = 0;
      for (; MANY_REGISTERS && column + 4 <= columns; column += 4) {
        four(leftAt, outAt + column * outColumn, column, rows);
      }
      for (; column + 2 <= columns; column += 2) {
        two(leftAt, outAt + column * outColumn, column, rows);
      }
      for (; column < columns; column++) {
        one(leftAt, outAt + column * outColumn, column, rows);
      }
    }
  }

  private void four(int leftAt, int to, int column, int rows) {
    int row = 0;
    while (row < rows) {
      int rest = rows - row;
      int taken = rest >= 5 && (rest % 4 != 0 || rest >= 20) ? 5 : rest >= 4 ? 4 : 1;
      switch (taken) {
        case 5 -> fiveByFour(leftAt + row * rowStep, column);
        case 4 -> fourByFour(leftAt + row * rowStep, column);
        default -> oneByFour(leftAt + row * rowStep, column);
      }
      finish(row, to + row * outRow, taken, 4);
      row += taken;
    }
  }

  private void two(int leftAt, int to, int column, int rows) {
    int row = 0;
    for (; row + 6 <= rows; row += 6) {
      sixByTwo(leftAt + row * rowStep, column);
      finish(row, to + row * outRow, 6, 2);
    }
    for (; row < rows; row++) {
      oneByTwo(leftAt + row * rowStep, column);
      finish(row, to + row * outRow, 1, 2);
    }
  }

  private void one(int leftAt, int to, int column, int rows) {
    int row = 0;
    for (; row + 8 <= rows; row += 8) {
      eightByOne(leftAt + row * rowStep, column);
      finish(row, to + row * outRow, 8, 1);
    }
    for (; row < rows; row++) {
      oneByOne(leftAt + row * rowStep, column);
      finish(row, to + row * outRow, 1, 1);
    }
  }

  private void fiveByFour(int leftAt, int at) {
    int from0 = from[at], from1 = from[at + 1], from2 = from[at + 2], from3 = from[at + 3];
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector a0 = zero, a1 = zero, a2 = zero, a3 = zero, b0 = zero, b1 = zero, b2 = zero;
    FloatVector b3 = zero, c0 = zero, c1 = zero, c2 = zero, c3 = zero, d0 = zero, d1 = zero;
    FloatVector d2 = zero, d3 = zero, e0 = zero, e1 = zero, e2 = zero, e3 = zero;
    for (int k = first; k < last; k++) {
      int place = rightAt + places[k];
      FloatVector x0 = FloatVector.fromArray(SPECIES, right, from0 + place);
      FloatVector x1 = FloatVector.fromArray(SPECIES, right, from1 + place);
      FloatVector x2 = FloatVector.fromArray(SPECIES, right, from2 + place);
      FloatVector x3 = FloatVector.fromArray(SPECIES, right, from3 + place);
      int i = leftAt + k * step;
      FloatVector w = FloatVector.broadcast(SPECIES, left[i]);
      a0 = w.fma(x0, a0);
      a1 = w.fma(x1, a1);
      a2 = w.fma(x2, a2);
      a3 = w.fma(x3, a3);
      w = FloatVector.broadcast(SPECIES, left[i + rowStep]);
      b0 = w.fma(x0, b0);
      b1 = w.fma(x1, b1);
      b2 = w.fma(x2, b2);
      b3 = w.fma(x3, b3);
      w = FloatVector.broadcast(SPECIES, left[i + 2 * rowStep]);
      c0 = w.fma(x0, c0);
      c1 = w.fma(x1, c1);
      c2 = w.fma(x2, c2);
      c3 = w.fma(x3, c3);
      w = FloatVector.broadcast(SPECIES, left[i + 3 * rowStep]);
      d0 = w.fma(x0, d0);
      d1 = w.fma(x1, d1);
      d2 = w.fma(x2, d2);
      d3 = w.fma(x3, d3);
      w = FloatVector.broadcast(SPECIES, left[i + 4 * rowStep]);
      e0 = w.fma(x0, e0);
      e1 = w.fma(x1, e1);
      e2 = w.fma(x2, e2);
      e3 = w.fma(x3, e3);
    }
    a0.intoArray(tile, 0);
    a1.intoArray(tile, COUNT);
    a2.intoArray(tile, 2 * COUNT);
    a3.intoArray(tile, 3 * COUNT);
    b0.intoArray(tile, 4 * COUNT);
    b1.intoArray(tile, 5 * COUNT);
    b2.intoArray(tile, 6 * COUNT);
    b3.intoArray(tile, 7 * COUNT);
    c0.intoArray(tile, 8 * COUNT);
    c1.intoArray(tile, 9 * COUNT);
    c2.intoArray(tile, 10 * COUNT);
    c3.intoArray(tile, 11 * COUNT);
    d0.intoArray(tile, 12 * COUNT);
    d1.intoArray(tile, 13 * COUNT);
    d2.intoArray(tile, 14 * COUNT);
    d3.intoArray(tile, 15 * COUNT);
    e0.intoArray(tile, 16 * COUNT);
    e1.intoArray(tile, 17 * COUNT);
    e2.intoArray(tile, 18 * COUNT);
    e3.intoArray(tile, 19 * COUNT);
  }

  private void fourByFour(int leftAt, int at) {
    int from0 = from[at], from1 = from[at + 1], from2 = from[at + 2], from3 = from[at + 3];
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector a0 = zero, a1 = zero, a2 = zero, a3 = zero, b0 = zero, b1 = zero, b2 = zero;
    FloatVector b3 = zero, c0 = zero, c1 = zero, c2 = zero, c3 = zero, d0 = zero, d1 = zero;
    FloatVector d2 = zero, d3 = zero;
    for (int k = first; k < last; k++) {
      int place = rightAt + places[k];
      FloatVector x0 = FloatVector.fromArray(SPECIES, right, from0 + place);
      FloatVector x1 = FloatVector.fromArray(SPECIES, right, from1 + place);
      FloatVector x2 = FloatVector.fromArray(SPECIES, right, from2 + place);
      FloatVector x3 = FloatVector.fromArray(SPECIES, right, from3 + place);
      int i = leftAt + k * step;
      FloatVector w = FloatVector.broadcast(SPECIES, left[i]);
      a0 = w.fma(x0, a0);
      a1 = w.fma(x1, a1);
      a2 = w.fma(x2, a2);
      a3 = w.fma(x3, a3);
      w = FloatVector.broadcast(SPECIES, left[i + rowStep]);
      b0 = w.fma(x0, b0);
      b1 = w.fma(x1, b1);
      b2 = w.fma(x2, b2);
      b3 = w.fma(x3, b3);
      w = FloatVector.broadcast(SPECIES, left[i + 2 * rowStep]);
      c0 = w.fma(x0, c0);
      c1 = w.fma(x1, c1);
      c2 = w.fma(x2, c2);
      c3 = w.fma(x3, c3);
      w = FloatVector.broadcast(SPECIES, left[i + 3 * rowStep]);
      d0 = w.fma(x0, d0);
      d1 = w.fma(x1, d1);
      d2 = w.fma(x2, d2);
      d3 = w.fma(x3, d3);
    }
    a0.intoArray(tile, 0);
    a1.intoArray(tile, COUNT);
    a2.intoArray(tile, 2 * COUNT);
    a3.intoArray(tile, 3 * COUNT);
    b0.intoArray(tile, 4 * COUNT);
    b1.intoArray(tile, 5 * COUNT);
    b2.intoArray(tile, 6 * COUNT);
    b3.intoArray(tile, 7 * COUNT);
    c0.intoArray(tile, 8 * COUNT);
    c1.intoArray(tile, 9 * COUNT);
    c2.intoArray(tile, 10 * COUNT);
    c3.intoArray(tile, 11 * COUNT);
    d0.intoArray(tile, 12 * COUNT);
    d1.intoArray(tile, 13 * COUNT);
    d2.intoArray(tile, 14 * COUNT);
    d3.intoArray(tile, 15 * COUNT);
  }

  private void oneByFour(int leftAt, int at) {
    int from0 = from[at], from1 = from[at + 1], from2 = from[at + 2], from3 = from[at + 3];
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector a0 = zero, a1 = zero, a2 = zero, a3 = zero;
    for (int k = first; k < last; k++) {
      int place = rightAt + places[k];
      FloatVector x0 = FloatVector.fromArray(SPECIES, right, from0 + place);
      FloatVector x1 = FloatVector.fromArray(SPECIES, right, from1 + place);
      FloatVector x2 = FloatVector.fromArray(SPECIES, right, from2 + place);
      FloatVector x3 = FloatVector.fromArray(SPECIES, right, from3 + place);
      int i = leftAt + k * step;
      FloatVector w = FloatVector.broadcast(SPECIES, left[i]);
      a0 = w.fma(x0, a0);
      a1 = w.fma(x1, a1);
      a2 = w.fma(x2, a2);
      a3 = w.fma(x3, a3);
    }
    a0.intoArray(tile, 0);
    a1.intoArray(tile, COUNT);
    a2.intoArray(tile, 2 * COUNT);
    a3.intoArray(tile, 3 * COUNT);
  }

  private void sixByTwo(int leftAt, int at) {
    int from0 = from[at], from1 = from[at + 1];
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector a0 = zero, a1 = zero, b0 = zero, b1 = zero, c0 = zero, c1 = zero, d0 = zero;
    FloatVector d1 = zero, e0 = zero, e1 = zero, f0 = zero, f1 = zero;
    for (int k = first; k < last; k++) {
      int place = rightAt + places[k];
      FloatVector x0 = FloatVector.fromArray(SPECIES, right, from0 + place);
      FloatVector x1 = FloatVector.fromArray(SPECIES, right, from1 + place);
      int i = leftAt + k * step;
      FloatVector w = FloatVector.broadcast(SPECIES, left[i]);
      a0 = w.fma(x0, a0);
      a1 = w.fma(x1, a1);
      w = FloatVector.broadcast(SPECIES, left[i + rowStep]);
      b0 = w.fma(x0, b0);
      b1 = w.fma(x1, b1);
      w = FloatVector.broadcast(SPECIES, left[i + 2 * rowStep]);
      c0 = w.fma(x0, c0);
      c1 = w.fma(x1, c1);
      w = FloatVector.broadcast(SPECIES, left[i + 3 * rowStep]);
      d0 = w.fma(x0, d0);
      d1 = w.fma(x1, d1);
      w = FloatVector.broadcast(SPECIES, left[i + 4 * rowStep]);
      e0 = w.fma(x0, e0);
      e1 = w.fma(x1, e1);
      w = FloatVector.broadcast(SPECIES, left[i + 5 * rowStep]);
      f0 = w.fma(x0, f0);
      f1 = w.fma(x1, f1);
    }
    a0.intoArray(tile, 0);
    a1.intoArray(tile, COUNT);
    b0.intoArray(tile, 2 * COUNT);
    b1.intoArray(tile, 3 * COUNT);
    c0.intoArray(tile, 4 * COUNT);
    c1.intoArray(tile, 5 * COUNT);
    d0.intoArray(tile, 6 * COUNT);
    d1.intoArray(tile, 7 * COUNT);
    e0.intoArray(tile, 8 * COUNT);
    e1.intoArray(tile, 9 * COUNT);
    f0.intoArray(tile, 10 * COUNT);
    f1.intoArray(tile, 11 * COUNT);
  }

  private void oneByTwo(int leftAt, int at) {
    int from0 = from[at], from1 = from[at + 1];
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector a0 = zero, a1 = zero;
    for (int k = first; k < last; k++) {
      int place = rightAt + places[k];
      FloatVector x0 = FloatVector.fromArray(SPECIES, right, from0 + place);
      FloatVector x1 = FloatVector.fromArray(SPECIES, right, from1 + place);
      int i = leftAt + k * step;
      FloatVector w = FloatVector.broadcast(SPECIES, left[i]);
      a0 = w.fma(x0, a0);
      a1 = w.fma(x1, a1);
    }
    a0.intoArray(tile, 0);
    a1.intoArray(tile, COUNT);
  }

  private void eightByOne(int leftAt, int at) {
    int from0 = from[at];
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector a0 = zero, b0 = zero, c0 = zero, d0 = zero, e0 = zero, f0 = zero, g0 = zero;
    FloatVector h0 = zero;
    for (int k = first; k < last; k++) {
      int place = rightAt + places[k];
      FloatVector x0 = FloatVector.fromArray(SPECIES, right, from0 + place);
      int i = leftAt + k * step;
      FloatVector w = FloatVector.broadcast(SPECIES, left[i]);
      a0 = w.fma(x0, a0);
      w = FloatVector.broadcast(SPECIES, left[i + rowStep]);
      b0 = w.fma(x0, b0);
      w = FloatVector.broadcast(SPECIES, left[i + 2 * rowStep]);
      c0 = w.fma(x0, c0);
      w = FloatVector.broadcast(SPECIES, left[i + 3 * rowStep]);
      d0 = w.fma(x0, d0);
      w = FloatVector.broadcast(SPECIES, left[i + 4 * rowStep]);
      e0 = w.fma(x0, e0);
      w = FloatVector.broadcast(SPECIES, left[i + 5 * rowStep]);
      f0 = w.fma(x0, f0);
      w = FloatVector.broadcast(SPECIES, left[i + 6 * rowStep]);
      g0 = w.fma(x0, g0);
      w = FloatVector.broadcast(SPECIES, left[i + 7 * rowStep]);
      h0 = w.fma(x0, h0);
    }
    a0.intoArray(tile, 0);
    b0.intoArray(tile, COUNT);
    c0.intoArray(tile, 2 * COUNT);
    d0.intoArray(tile, 3 * COUNT);
    e0.intoArray(tile, 4 * COUNT);
    f0.intoArray(tile, 5 * COUNT);
    g0.intoArray(tile, 6 * COUNT);
    h0.intoArray(tile, 7 * COUNT);
  }

  private void oneByOne(int leftAt, int at) {
    int from0 = from[at];
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector a0 = zero;
    for (int k = first; k < last; k++) {
      int place = rightAt + places[k];
      FloatVector x0 = FloatVector.fromArray(SPECIES, right, from0 + place);
      int i = leftAt + k * step;
      FloatVector w = FloatVector.broadcast(SPECIES, left[i]);
      a0 = w.fma(x0, a0);
    }
    a0.intoArray(tile, 0);
  }
}
