package io.kindred.learning.engine.jvm;

import static io.kindred.learning.engine.jvm.Lanes.BLOCK_SIZE;
import static io.kindred.learning.engine.jvm.Lanes.SPECIES;
import static io.kindred.learning.engine.jvm.Lanes.VECTOR_WIDTH;

import jdk.incubator.vector.FloatVector;

/**
 * A matrix product with columns of registers: out[row][column] = initial[row] + sum over k of
 * left[row][k] right[k][column]. Every product of a network has this form: scores and gradients of
 * dense layers, and convolutions, where {@code offsets} selects the neighbour that each step reads.
 * Inner loops hold a few rows times a few columns in registers, so that each load serves several
 * multiply-adds; they are written out variable by variable because only local variables become
 * registers.
 *
 * <p>The order of every sum, whatever tile it falls into: runs of {@link #RUN_LENGTH} steps, each
 * one chain of multiply-adds from zero, added to the initial value one after another. {@link
 * GemmReference} defines it in plain loops. A run of steps of a tile's columns fits the first-level
 * cache.
 */
final class Gemm {
  static final int RUN_LENGTH = 128;

  /** With fewer than 32 registers, tiles of four columns would spill. */
  private static final boolean MANY_REGISTERS = VECTOR_WIDTH != 8;

  private final int leftRowStride;
  private final int leftStride;
  private final int[] offsets;
  private final int[] from;
  private final int outRowStride;
  private final int outColumnStride;
  private final float[] tile = new float[20 * BLOCK_SIZE];
  // Inputs of the current run; fields, because a dozen parameters would hide the arithmetic.
  private float[] initialValues = {};
  private int initialValuesAt;
  private float[] left = {};
  private float[] right = {};
  private int rightAt;
  private float[] out = {};
  private int runStart;
  private int runEnd;

  /**
   * {@code left[row][k]} lies at row times {@code leftRowStride} plus k times {@code leftStride};
   * {@code right[k][column]} at {@code offsets[k]} plus {@code from[column]}; {@code
   * out[row][column]} at row times {@code outRowStride} plus column times {@code outColumnStride}.
   */
  Gemm(
      int leftRowStride,
      int leftStride,
      int[] offsets,
      int[] from,
      int outRowStride,
      int outColumnStride) {
    this.leftRowStride = leftRowStride;
    this.leftStride = leftStride;
    this.offsets = offsets;
    this.from = from;
    this.outRowStride = outRowStride;
    this.outColumnStride = outColumnStride;
  }

  /** Sets the initial value of each row, read from index {@code initialValuesAt} on. */
  Gemm withInitialValues(float[] initialValues, int initialValuesAt) {
    this.initialValues = initialValues;
    this.initialValuesAt = initialValuesAt;
    return this;
  }

  /** Adds the tile to the output, or in the first run of steps to the initial values. */
  private void accumulateTile(int row, int to, int rows, int columns) {
    for (int r = 0; r < rows; r++) {
      int at = to + r * outRowStride;
      int from = r * columns * BLOCK_SIZE;
      if (runStart == 0) {
        FloatVector start =
            FloatVector.broadcast(SPECIES, initialValues[initialValuesAt + row + r]);
        for (int column = 0; column < columns; column++) {
          FloatVector.fromArray(SPECIES, tile, from + column * BLOCK_SIZE)
              .add(start)
              .intoArray(out, at + column * outColumnStride);
        }
      } else {
        for (int column = 0; column < columns; column++) {
          FloatVector.fromArray(SPECIES, tile, from + column * BLOCK_SIZE)
              .add(FloatVector.fromArray(SPECIES, out, at + column * outColumnStride))
              .intoArray(out, at + column * outColumnStride);
        }
      }
    }
  }

  /** The products of {@code rows} rows and {@code columns} columns over {@code steps} steps. */
  void multiply(
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
    for (runStart = 0; runStart < steps; runStart += RUN_LENGTH) {
      runEnd = Math.min(runStart + RUN_LENGTH, steps);
      int column = 0;
      for (; MANY_REGISTERS && column + 4 <= columns; column += 4) {
        fourColumns(leftAt, outAt + column * outColumnStride, column, rows);
      }
      for (; column + 2 <= columns; column += 2) {
        twoColumns(leftAt, outAt + column * outColumnStride, column, rows);
      }
      for (; column < columns; column++) {
        oneColumn(leftAt, outAt + column * outColumnStride, column, rows);
      }
    }
  }

  private void fourColumns(int leftAt, int to, int column, int rows) {
    int row = 0;
    while (row < rows) {
      int rest = rows - row;
      int taken = rest >= 5 && (rest % 4 != 0 || rest >= 20) ? 5 : rest >= 4 ? 4 : 1;
      switch (taken) {
        case 5 -> fiveByFour(leftAt + row * leftRowStride, column);
        case 4 -> fourByFour(leftAt + row * leftRowStride, column);
        default -> oneByFour(leftAt + row * leftRowStride, column);
      }
      accumulateTile(row, to + row * outRowStride, taken, 4);
      row += taken;
    }
  }

  private void twoColumns(int leftAt, int to, int column, int rows) {
    int row = 0;
    for (; row + 6 <= rows; row += 6) {
      sixByTwo(leftAt + row * leftRowStride, column);
      accumulateTile(row, to + row * outRowStride, 6, 2);
    }
    for (; row < rows; row++) {
      oneByTwo(leftAt + row * leftRowStride, column);
      accumulateTile(row, to + row * outRowStride, 1, 2);
    }
  }

  private void oneColumn(int leftAt, int to, int column, int rows) {
    int row = 0;
    for (; row + 8 <= rows; row += 8) {
      eightByOne(leftAt + row * leftRowStride, column);
      accumulateTile(row, to + row * outRowStride, 8, 1);
    }
    for (; row < rows; row++) {
      oneByOne(leftAt + row * leftRowStride, column);
      accumulateTile(row, to + row * outRowStride, 1, 1);
    }
  }

  private void fiveByFour(int leftAt, int at) {
    int from0 = from[at], from1 = from[at + 1], from2 = from[at + 2], from3 = from[at + 3];
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector a0 = zero, a1 = zero, a2 = zero, a3 = zero, b0 = zero, b1 = zero, b2 = zero;
    FloatVector b3 = zero, c0 = zero, c1 = zero, c2 = zero, c3 = zero, d0 = zero, d1 = zero;
    FloatVector d2 = zero, d3 = zero, e0 = zero, e1 = zero, e2 = zero, e3 = zero;
    for (int k = runStart; k < runEnd; k++) {
      int offset = rightAt + offsets[k];
      FloatVector x0 = FloatVector.fromArray(SPECIES, right, from0 + offset);
      FloatVector x1 = FloatVector.fromArray(SPECIES, right, from1 + offset);
      FloatVector x2 = FloatVector.fromArray(SPECIES, right, from2 + offset);
      FloatVector x3 = FloatVector.fromArray(SPECIES, right, from3 + offset);
      int i = leftAt + k * leftStride;
      FloatVector w = FloatVector.broadcast(SPECIES, left[i]);
      a0 = w.fma(x0, a0);
      a1 = w.fma(x1, a1);
      a2 = w.fma(x2, a2);
      a3 = w.fma(x3, a3);
      w = FloatVector.broadcast(SPECIES, left[i + leftRowStride]);
      b0 = w.fma(x0, b0);
      b1 = w.fma(x1, b1);
      b2 = w.fma(x2, b2);
      b3 = w.fma(x3, b3);
      w = FloatVector.broadcast(SPECIES, left[i + 2 * leftRowStride]);
      c0 = w.fma(x0, c0);
      c1 = w.fma(x1, c1);
      c2 = w.fma(x2, c2);
      c3 = w.fma(x3, c3);
      w = FloatVector.broadcast(SPECIES, left[i + 3 * leftRowStride]);
      d0 = w.fma(x0, d0);
      d1 = w.fma(x1, d1);
      d2 = w.fma(x2, d2);
      d3 = w.fma(x3, d3);
      w = FloatVector.broadcast(SPECIES, left[i + 4 * leftRowStride]);
      e0 = w.fma(x0, e0);
      e1 = w.fma(x1, e1);
      e2 = w.fma(x2, e2);
      e3 = w.fma(x3, e3);
    }
    a0.intoArray(tile, 0);
    a1.intoArray(tile, BLOCK_SIZE);
    a2.intoArray(tile, 2 * BLOCK_SIZE);
    a3.intoArray(tile, 3 * BLOCK_SIZE);
    b0.intoArray(tile, 4 * BLOCK_SIZE);
    b1.intoArray(tile, 5 * BLOCK_SIZE);
    b2.intoArray(tile, 6 * BLOCK_SIZE);
    b3.intoArray(tile, 7 * BLOCK_SIZE);
    c0.intoArray(tile, 8 * BLOCK_SIZE);
    c1.intoArray(tile, 9 * BLOCK_SIZE);
    c2.intoArray(tile, 10 * BLOCK_SIZE);
    c3.intoArray(tile, 11 * BLOCK_SIZE);
    d0.intoArray(tile, 12 * BLOCK_SIZE);
    d1.intoArray(tile, 13 * BLOCK_SIZE);
    d2.intoArray(tile, 14 * BLOCK_SIZE);
    d3.intoArray(tile, 15 * BLOCK_SIZE);
    e0.intoArray(tile, 16 * BLOCK_SIZE);
    e1.intoArray(tile, 17 * BLOCK_SIZE);
    e2.intoArray(tile, 18 * BLOCK_SIZE);
    e3.intoArray(tile, 19 * BLOCK_SIZE);
  }

  private void fourByFour(int leftAt, int at) {
    int from0 = from[at], from1 = from[at + 1], from2 = from[at + 2], from3 = from[at + 3];
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector a0 = zero, a1 = zero, a2 = zero, a3 = zero, b0 = zero, b1 = zero, b2 = zero;
    FloatVector b3 = zero, c0 = zero, c1 = zero, c2 = zero, c3 = zero, d0 = zero, d1 = zero;
    FloatVector d2 = zero, d3 = zero;
    for (int k = runStart; k < runEnd; k++) {
      int offset = rightAt + offsets[k];
      FloatVector x0 = FloatVector.fromArray(SPECIES, right, from0 + offset);
      FloatVector x1 = FloatVector.fromArray(SPECIES, right, from1 + offset);
      FloatVector x2 = FloatVector.fromArray(SPECIES, right, from2 + offset);
      FloatVector x3 = FloatVector.fromArray(SPECIES, right, from3 + offset);
      int i = leftAt + k * leftStride;
      FloatVector w = FloatVector.broadcast(SPECIES, left[i]);
      a0 = w.fma(x0, a0);
      a1 = w.fma(x1, a1);
      a2 = w.fma(x2, a2);
      a3 = w.fma(x3, a3);
      w = FloatVector.broadcast(SPECIES, left[i + leftRowStride]);
      b0 = w.fma(x0, b0);
      b1 = w.fma(x1, b1);
      b2 = w.fma(x2, b2);
      b3 = w.fma(x3, b3);
      w = FloatVector.broadcast(SPECIES, left[i + 2 * leftRowStride]);
      c0 = w.fma(x0, c0);
      c1 = w.fma(x1, c1);
      c2 = w.fma(x2, c2);
      c3 = w.fma(x3, c3);
      w = FloatVector.broadcast(SPECIES, left[i + 3 * leftRowStride]);
      d0 = w.fma(x0, d0);
      d1 = w.fma(x1, d1);
      d2 = w.fma(x2, d2);
      d3 = w.fma(x3, d3);
    }
    a0.intoArray(tile, 0);
    a1.intoArray(tile, BLOCK_SIZE);
    a2.intoArray(tile, 2 * BLOCK_SIZE);
    a3.intoArray(tile, 3 * BLOCK_SIZE);
    b0.intoArray(tile, 4 * BLOCK_SIZE);
    b1.intoArray(tile, 5 * BLOCK_SIZE);
    b2.intoArray(tile, 6 * BLOCK_SIZE);
    b3.intoArray(tile, 7 * BLOCK_SIZE);
    c0.intoArray(tile, 8 * BLOCK_SIZE);
    c1.intoArray(tile, 9 * BLOCK_SIZE);
    c2.intoArray(tile, 10 * BLOCK_SIZE);
    c3.intoArray(tile, 11 * BLOCK_SIZE);
    d0.intoArray(tile, 12 * BLOCK_SIZE);
    d1.intoArray(tile, 13 * BLOCK_SIZE);
    d2.intoArray(tile, 14 * BLOCK_SIZE);
    d3.intoArray(tile, 15 * BLOCK_SIZE);
  }

  private void oneByFour(int leftAt, int at) {
    int from0 = from[at], from1 = from[at + 1], from2 = from[at + 2], from3 = from[at + 3];
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector a0 = zero, a1 = zero, a2 = zero, a3 = zero;
    for (int k = runStart; k < runEnd; k++) {
      int offset = rightAt + offsets[k];
      FloatVector x0 = FloatVector.fromArray(SPECIES, right, from0 + offset);
      FloatVector x1 = FloatVector.fromArray(SPECIES, right, from1 + offset);
      FloatVector x2 = FloatVector.fromArray(SPECIES, right, from2 + offset);
      FloatVector x3 = FloatVector.fromArray(SPECIES, right, from3 + offset);
      int i = leftAt + k * leftStride;
      FloatVector w = FloatVector.broadcast(SPECIES, left[i]);
      a0 = w.fma(x0, a0);
      a1 = w.fma(x1, a1);
      a2 = w.fma(x2, a2);
      a3 = w.fma(x3, a3);
    }
    a0.intoArray(tile, 0);
    a1.intoArray(tile, BLOCK_SIZE);
    a2.intoArray(tile, 2 * BLOCK_SIZE);
    a3.intoArray(tile, 3 * BLOCK_SIZE);
  }

  private void sixByTwo(int leftAt, int at) {
    int from0 = from[at], from1 = from[at + 1];
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector a0 = zero, a1 = zero, b0 = zero, b1 = zero, c0 = zero, c1 = zero, d0 = zero;
    FloatVector d1 = zero, e0 = zero, e1 = zero, f0 = zero, f1 = zero;
    for (int k = runStart; k < runEnd; k++) {
      int offset = rightAt + offsets[k];
      FloatVector x0 = FloatVector.fromArray(SPECIES, right, from0 + offset);
      FloatVector x1 = FloatVector.fromArray(SPECIES, right, from1 + offset);
      int i = leftAt + k * leftStride;
      FloatVector w = FloatVector.broadcast(SPECIES, left[i]);
      a0 = w.fma(x0, a0);
      a1 = w.fma(x1, a1);
      w = FloatVector.broadcast(SPECIES, left[i + leftRowStride]);
      b0 = w.fma(x0, b0);
      b1 = w.fma(x1, b1);
      w = FloatVector.broadcast(SPECIES, left[i + 2 * leftRowStride]);
      c0 = w.fma(x0, c0);
      c1 = w.fma(x1, c1);
      w = FloatVector.broadcast(SPECIES, left[i + 3 * leftRowStride]);
      d0 = w.fma(x0, d0);
      d1 = w.fma(x1, d1);
      w = FloatVector.broadcast(SPECIES, left[i + 4 * leftRowStride]);
      e0 = w.fma(x0, e0);
      e1 = w.fma(x1, e1);
      w = FloatVector.broadcast(SPECIES, left[i + 5 * leftRowStride]);
      f0 = w.fma(x0, f0);
      f1 = w.fma(x1, f1);
    }
    a0.intoArray(tile, 0);
    a1.intoArray(tile, BLOCK_SIZE);
    b0.intoArray(tile, 2 * BLOCK_SIZE);
    b1.intoArray(tile, 3 * BLOCK_SIZE);
    c0.intoArray(tile, 4 * BLOCK_SIZE);
    c1.intoArray(tile, 5 * BLOCK_SIZE);
    d0.intoArray(tile, 6 * BLOCK_SIZE);
    d1.intoArray(tile, 7 * BLOCK_SIZE);
    e0.intoArray(tile, 8 * BLOCK_SIZE);
    e1.intoArray(tile, 9 * BLOCK_SIZE);
    f0.intoArray(tile, 10 * BLOCK_SIZE);
    f1.intoArray(tile, 11 * BLOCK_SIZE);
  }

  private void oneByTwo(int leftAt, int at) {
    int from0 = from[at], from1 = from[at + 1];
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector a0 = zero, a1 = zero;
    for (int k = runStart; k < runEnd; k++) {
      int offset = rightAt + offsets[k];
      FloatVector x0 = FloatVector.fromArray(SPECIES, right, from0 + offset);
      FloatVector x1 = FloatVector.fromArray(SPECIES, right, from1 + offset);
      int i = leftAt + k * leftStride;
      FloatVector w = FloatVector.broadcast(SPECIES, left[i]);
      a0 = w.fma(x0, a0);
      a1 = w.fma(x1, a1);
    }
    a0.intoArray(tile, 0);
    a1.intoArray(tile, BLOCK_SIZE);
  }

  private void eightByOne(int leftAt, int at) {
    int from0 = from[at];
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector a0 = zero, b0 = zero, c0 = zero, d0 = zero, e0 = zero, f0 = zero, g0 = zero;
    FloatVector h0 = zero;
    for (int k = runStart; k < runEnd; k++) {
      int offset = rightAt + offsets[k];
      FloatVector x0 = FloatVector.fromArray(SPECIES, right, from0 + offset);
      int i = leftAt + k * leftStride;
      FloatVector w = FloatVector.broadcast(SPECIES, left[i]);
      a0 = w.fma(x0, a0);
      w = FloatVector.broadcast(SPECIES, left[i + leftRowStride]);
      b0 = w.fma(x0, b0);
      w = FloatVector.broadcast(SPECIES, left[i + 2 * leftRowStride]);
      c0 = w.fma(x0, c0);
      w = FloatVector.broadcast(SPECIES, left[i + 3 * leftRowStride]);
      d0 = w.fma(x0, d0);
      w = FloatVector.broadcast(SPECIES, left[i + 4 * leftRowStride]);
      e0 = w.fma(x0, e0);
      w = FloatVector.broadcast(SPECIES, left[i + 5 * leftRowStride]);
      f0 = w.fma(x0, f0);
      w = FloatVector.broadcast(SPECIES, left[i + 6 * leftRowStride]);
      g0 = w.fma(x0, g0);
      w = FloatVector.broadcast(SPECIES, left[i + 7 * leftRowStride]);
      h0 = w.fma(x0, h0);
    }
    a0.intoArray(tile, 0);
    b0.intoArray(tile, BLOCK_SIZE);
    c0.intoArray(tile, 2 * BLOCK_SIZE);
    d0.intoArray(tile, 3 * BLOCK_SIZE);
    e0.intoArray(tile, 4 * BLOCK_SIZE);
    f0.intoArray(tile, 5 * BLOCK_SIZE);
    g0.intoArray(tile, 6 * BLOCK_SIZE);
    h0.intoArray(tile, 7 * BLOCK_SIZE);
  }

  private void oneByOne(int leftAt, int at) {
    int from0 = from[at];
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector a0 = zero;
    for (int k = runStart; k < runEnd; k++) {
      int offset = rightAt + offsets[k];
      FloatVector x0 = FloatVector.fromArray(SPECIES, right, from0 + offset);
      int i = leftAt + k * leftStride;
      FloatVector w = FloatVector.broadcast(SPECIES, left[i]);
      a0 = w.fma(x0, a0);
    }
    a0.intoArray(tile, 0);
  }
}
