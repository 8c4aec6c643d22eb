package io.kindred.learning.engine.jvm;

import static io.kindred.learning.engine.jvm.Lanes.BLOCK_SIZE;
import static io.kindred.learning.engine.jvm.Lanes.SPECIES;
import static io.kindred.learning.engine.jvm.Lanes.VECTOR_WIDTH;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdk.incubator.vector.FloatVector;

/**
 * A product as that of {@link Gemm}, from an initial value of zero, whose columns leave out steps
 * that multiply by zero. The bits are those of {@link GemmReference} over all steps: adding a
 * product with zero changes no bit of a sum, unless the other factor is infinite or no number, that
 * is in a model that has already diverged.
 *
 * <p>The steps of a tile are no longer evenly spaced, so the left factor is kept in panels: for
 * each few rows their values of one step side by side, which costs one range check a step instead
 * of one for each row.
 */
final class GappedGemm {
  private static final boolean MANY_REGISTERS = VECTOR_WIDTH != 8;
  private static final int TILE_COLUMNS = MANY_REGISTERS ? 4 : 2;

  /**
   * The steps of a tile in ascending order, the offsets that they read at, and where each run of
   * {@link Gemm#RUN_LENGTH} of all steps begins among them.
   */
  private static final class Steps {
    private final int[] steps;
    private final int[] offsets;
    private final int[] runStarts;

    private Steps(int[] steps, int[] offsets, int[] runStarts) {
      this.steps = steps;
      this.offsets = offsets;
      this.runStarts = runStarts;
    }
  }

  private static final class Tile {
    private final int[] from;
    private final int[] to;
    private final Steps steps;

    private Tile(int[] from, int[] to, Steps steps) {
      this.from = from;
      this.to = to;
      this.steps = steps;
    }
  }

  /** Rows that are multiplied together; there may be fewer rows than the panel has room for. */
  private record Panel(int firstRow, int rows, int room, int start) {}

  private final int rows;
  private final int stepCount;
  private final int period;
  private final int outRowStride;
  private final List<Tile> tiles = new ArrayList<>();
  private final List<Panel> panels = new ArrayList<>();
  private final float[] left;
  private final float[] sums;
  private final float[] product = new float[20 * BLOCK_SIZE];
  // Inputs of the current run; fields, because a dozen parameters would hide the arithmetic.
  private float[] right = {};
  private int rightAt;
  private int[] steps = {};
  private int[] offsets = {};
  private int runStart;
  private int runEnd;

  /**
   * {@code right[k][column]} lies at {@code offsets[k]} plus {@code from[column]}; {@code
   * out[row][column]} at row times {@code outRowStride} plus {@code to[column]}. {@code
   * repeating[column]} are the steps to take among the first {@code period}; the same follow in
   * every further period. A tile takes the steps of all its columns, so neighbouring columns should
   * have the same.
   */
  GappedGemm(
      int rows,
      int[] offsets,
      int[] from,
      int outRowStride,
      int[] to,
      BitSet[] repeating,
      int period) {
    this.rows = rows;
    stepCount = offsets.length;
    this.period = period;
    this.outRowStride = outRowStride;
    Map<BitSet, Steps> known = new LinkedHashMap<>();
    for (int column = 0; column < from.length; column += TILE_COLUMNS) {
      int[] tileFrom = new int[TILE_COLUMNS];
      int[] tileTo = new int[TILE_COLUMNS];
      BitSet together = new BitSet(period);
      for (int i = 0; i < TILE_COLUMNS; i++) {
        // Beyond the last column, the last one again: both write the same values.
        int taken = Math.min(column + i, from.length - 1);
        tileFrom[i] = from[taken];
        tileTo[i] = to[taken];
        together.or(repeating[taken]);
      }
      Steps taken = known.computeIfAbsent(together, set -> steps(set, period, offsets));
      tiles.add(new Tile(tileFrom, tileTo, taken));
    }
    int end = 0;
    for (int row = 0; row < rows; ) {
      int rest = rows - row;
      int room = !MANY_REGISTERS ? 6 : rest >= 5 && (rest % 4 != 0 || rest >= 20) ? 5 : 4;
      panels.add(new Panel(row, Math.min(room, rest), room, end));
      row += room;
      end += room * stepCount;
    }
    left = new float[end];
    sums = new float[(rows + 6) * TILE_COLUMNS * BLOCK_SIZE];
  }

  private static Steps steps(BitSet repeating, int period, int[] offsets) {
    BitSet all = new BitSet(offsets.length);
    for (int start = 0; start < offsets.length; start += period) {
      int at = start;
      repeating.stream().forEach(step -> all.set(at + step));
    }
    int runs = (offsets.length + Gemm.RUN_LENGTH - 1) / Gemm.RUN_LENGTH;
    int[] runStarts = new int[runs + 1];
    for (int run = 0; run < runs; run++) {
      int from = run * Gemm.RUN_LENGTH;
      runStarts[run + 1] = runStarts[run] + all.get(from, from + Gemm.RUN_LENGTH).cardinality();
    }
    int[] steps = all.stream().toArray();
    return new Steps(steps, Arrays.stream(steps).map(step -> offsets[step]).toArray(), runStarts);
  }

  /**
   * Takes the left factor from filters x rows x {@code period} weights, the last of a period first.
   */
  void setFlipped(float[] weights, int at) {
    for (Panel panel : panels) {
      for (int step = 0; step < stepCount; step += period) {
        int from = at + (step / period * rows + panel.firstRow() + 1) * period - 1;
        for (int i = 0; i < period; i++) {
          int to = panel.start() + (step + i) * panel.room();
          for (int row = 0; row < panel.rows(); row++) {
            left[to + row] = weights[from - i + row * period];
          }
        }
      }
    }
  }

  void multiply(float[] right, int rightAt, float[] out, int outAt) {
    this.right = right;
    this.rightAt = rightAt;
    for (Tile tile : tiles) {
      Arrays.fill(sums, 0);
      steps = tile.steps.steps;
      offsets = tile.steps.offsets;
      int[] runStarts = tile.steps.runStarts;
      for (int run = 0; run + 1 < runStarts.length; run++) {
        runStart = runStarts[run];
        runEnd = runStarts[run + 1];
        for (Panel panel : panels) {
          switch (panel.room()) {
            case 6 -> sixByTwo(panel.start(), tile.from);
            case 5 -> fiveByFour(panel.start(), tile.from);
            default -> fourByFour(panel.start(), tile.from);
          }
          addProduct(panel.firstRow() * TILE_COLUMNS * BLOCK_SIZE, panel.room() * TILE_COLUMNS);
        }
      }
      for (int row = 0; row < rows; row++) {
        for (int i = 0; i < TILE_COLUMNS; i++) {
          FloatVector.fromArray(SPECIES, sums, (row * TILE_COLUMNS + i) * BLOCK_SIZE)
              .intoArray(out, outAt + row * outRowStride + tile.to[i]);
        }
      }
    }
  }

  private void addProduct(int at, int count) {
    for (int i = 0; i < count * BLOCK_SIZE; i += BLOCK_SIZE) {
      FloatVector.fromArray(SPECIES, product, i)
          .add(FloatVector.fromArray(SPECIES, sums, at + i))
          .intoArray(sums, at + i);
    }
  }

  private void fiveByFour(int panel, int[] from) {
    int from0 = rightAt + from[0], from1 = rightAt + from[1];
    int from2 = rightAt + from[2], from3 = rightAt + from[3];
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector a0 = zero, a1 = zero, a2 = zero, a3 = zero, b0 = zero, b1 = zero, b2 = zero;
    FloatVector b3 = zero, c0 = zero, c1 = zero, c2 = zero, c3 = zero, d0 = zero, d1 = zero;
    FloatVector d2 = zero, d3 = zero, e0 = zero, e1 = zero, e2 = zero, e3 = zero;
    for (int next = runStart; next < runEnd; next++) {
      int offset = offsets[next];
      FloatVector x0 = FloatVector.fromArray(SPECIES, right, from0 + offset);
      FloatVector x1 = FloatVector.fromArray(SPECIES, right, from1 + offset);
      FloatVector x2 = FloatVector.fromArray(SPECIES, right, from2 + offset);
      FloatVector x3 = FloatVector.fromArray(SPECIES, right, from3 + offset);
      int i = panel + steps[next] * 5;
      FloatVector w = FloatVector.broadcast(SPECIES, left[i]);
      a0 = w.fma(x0, a0);
      a1 = w.fma(x1, a1);
      a2 = w.fma(x2, a2);
      a3 = w.fma(x3, a3);
      w = FloatVector.broadcast(SPECIES, left[i + 1]);
      b0 = w.fma(x0, b0);
      b1 = w.fma(x1, b1);
      b2 = w.fma(x2, b2);
      b3 = w.fma(x3, b3);
      w = FloatVector.broadcast(SPECIES, left[i + 2]);
      c0 = w.fma(x0, c0);
      c1 = w.fma(x1, c1);
      c2 = w.fma(x2, c2);
      c3 = w.fma(x3, c3);
      w = FloatVector.broadcast(SPECIES, left[i + 3]);
      d0 = w.fma(x0, d0);
      d1 = w.fma(x1, d1);
      d2 = w.fma(x2, d2);
      d3 = w.fma(x3, d3);
      w = FloatVector.broadcast(SPECIES, left[i + 4]);
      e0 = w.fma(x0, e0);
      e1 = w.fma(x1, e1);
      e2 = w.fma(x2, e2);
      e3 = w.fma(x3, e3);
    }
    storeRow(0, a0, a1, a2, a3);
    storeRow(1, b0, b1, b2, b3);
    storeRow(2, c0, c1, c2, c3);
    storeRow(3, d0, d1, d2, d3);
    storeRow(4, e0, e1, e2, e3);
  }

  private void fourByFour(int panel, int[] from) {
    int from0 = rightAt + from[0], from1 = rightAt + from[1];
    int from2 = rightAt + from[2], from3 = rightAt + from[3];
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector a0 = zero, a1 = zero, a2 = zero, a3 = zero, b0 = zero, b1 = zero, b2 = zero;
    FloatVector b3 = zero, c0 = zero, c1 = zero, c2 = zero, c3 = zero, d0 = zero, d1 = zero;
    FloatVector d2 = zero, d3 = zero;
    for (int next = runStart; next < runEnd; next++) {
      int offset = offsets[next];
      FloatVector x0 = FloatVector.fromArray(SPECIES, right, from0 + offset);
      FloatVector x1 = FloatVector.fromArray(SPECIES, right, from1 + offset);
      FloatVector x2 = FloatVector.fromArray(SPECIES, right, from2 + offset);
      FloatVector x3 = FloatVector.fromArray(SPECIES, right, from3 + offset);
      int i = panel + steps[next] * 4;
      FloatVector w = FloatVector.broadcast(SPECIES, left[i]);
      a0 = w.fma(x0, a0);
      a1 = w.fma(x1, a1);
      a2 = w.fma(x2, a2);
      a3 = w.fma(x3, a3);
      w = FloatVector.broadcast(SPECIES, left[i + 1]);
      b0 = w.fma(x0, b0);
      b1 = w.fma(x1, b1);
      b2 = w.fma(x2, b2);
      b3 = w.fma(x3, b3);
      w = FloatVector.broadcast(SPECIES, left[i + 2]);
      c0 = w.fma(x0, c0);
      c1 = w.fma(x1, c1);
      c2 = w.fma(x2, c2);
      c3 = w.fma(x3, c3);
      w = FloatVector.broadcast(SPECIES, left[i + 3]);
      d0 = w.fma(x0, d0);
      d1 = w.fma(x1, d1);
      d2 = w.fma(x2, d2);
      d3 = w.fma(x3, d3);
    }
    storeRow(0, a0, a1, a2, a3);
    storeRow(1, b0, b1, b2, b3);
    storeRow(2, c0, c1, c2, c3);
    storeRow(3, d0, d1, d2, d3);
  }

  private void storeRow(int row, FloatVector x0, FloatVector x1, FloatVector x2, FloatVector x3) {
    int at = 4 * row * BLOCK_SIZE;
    x0.intoArray(product, at);
    x1.intoArray(product, at + BLOCK_SIZE);
    x2.intoArray(product, at + 2 * BLOCK_SIZE);
    x3.intoArray(product, at + 3 * BLOCK_SIZE);
  }

  private void sixByTwo(int panel, int[] from) {
    int from0 = rightAt + from[0], from1 = rightAt + from[1];
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector a0 = zero, a1 = zero, b0 = zero, b1 = zero, c0 = zero, c1 = zero, d0 = zero;
    FloatVector d1 = zero, e0 = zero, e1 = zero, f0 = zero, f1 = zero;
    for (int next = runStart; next < runEnd; next++) {
      int offset = offsets[next];
      FloatVector x0 = FloatVector.fromArray(SPECIES, right, from0 + offset);
      FloatVector x1 = FloatVector.fromArray(SPECIES, right, from1 + offset);
      int i = panel + steps[next] * 6;
      FloatVector w = FloatVector.broadcast(SPECIES, left[i]);
      a0 = w.fma(x0, a0);
      a1 = w.fma(x1, a1);
      w = FloatVector.broadcast(SPECIES, left[i + 1]);
      b0 = w.fma(x0, b0);
      b1 = w.fma(x1, b1);
      w = FloatVector.broadcast(SPECIES, left[i + 2]);
      c0 = w.fma(x0, c0);
      c1 = w.fma(x1, c1);
      w = FloatVector.broadcast(SPECIES, left[i + 3]);
      d0 = w.fma(x0, d0);
      d1 = w.fma(x1, d1);
      w = FloatVector.broadcast(SPECIES, left[i + 4]);
      e0 = w.fma(x0, e0);
      e1 = w.fma(x1, e1);
      w = FloatVector.broadcast(SPECIES, left[i + 5]);
      f0 = w.fma(x0, f0);
      f1 = w.fma(x1, f1);
    }
    storeRow(0, a0, a1);
    storeRow(1, b0, b1);
    storeRow(2, c0, c1);
    storeRow(3, d0, d1);
    storeRow(4, e0, e1);
    storeRow(5, f0, f1);
  }

  private void storeRow(int row, FloatVector x0, FloatVector x1) {
    int at = 2 * row * BLOCK_SIZE;
    x0.intoArray(product, at);
    x1.intoArray(product, at + BLOCK_SIZE);
  }
}
