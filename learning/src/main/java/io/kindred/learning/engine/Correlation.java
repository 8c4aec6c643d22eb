package io.kindred.learning.engine;

import static io.kindred.learning.engine.Lanes.COUNT;
import static io.kindred.learning.engine.Lanes.SPECIES;
import static io.kindred.learning.engine.Lanes.WIDTH;

import io.kindred.core.weights.Flat;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/**
 * The gradient of filters: for each filter and each of its taps the sum, over all samples and
 * positions, of the slope there times the picture under the tap. Samples lie in the lanes of a
 * register, so the order of the sum is: within a lane runs of {@link #RUN} positions of a block,
 * each one chain of multiply-adds from zero, added up run after run and block after block; then the
 * lanes by the fixed tree of {@link Flat}. {@link ConvolutionReference} says it in plain loops.
 */
final class Correlation {
  /** Positions whose slopes stay in the first-level cache while all taps pass over them. */
  static final int RUN = 56;

  private static final int TAPS = 4;

  private final int filters;
  private final int[] places;
  private final int[] from;
  private final int slopeRow;
  private final int slopeBlock;
  private final int pictureBlock;
  private final float[] sums;
  private final float[] tile = new float[5 * TAPS * COUNT];
  // What the run at hand works on; fields, because a dozen parameters would hide the arithmetic.
  private float[] slope = {};
  private float[] picture = {};
  private int first;
  private int last;

  /**
   * {@code places} are those of the taps and {@code from} those of the positions in a block of
   * pictures, {@code pictureBlock} the size of such a block.
   */
  Correlation(int filters, int[] places, int[] from, int pictureBlock) {
    this.filters = filters;
    this.places = places;
    this.from = from;
    this.slopeRow = from.length * COUNT;
    this.slopeBlock = filters * slopeRow;
    this.pictureBlock = pictureBlock;
    this.sums = new float[(places.length + TAPS - 1) / TAPS * 5 * TAPS * COUNT];
  }

  /** Writes filters times taps values from {@code at} on. */
  void run(float[] slope, float[] picture, int blocks, float[] gradient, int at) {
    this.slope = slope;
    this.picture = picture;
    if (places.length < TAPS || filters < 4) {
      for (int row = 0; row < filters; row++) {
        rows(row, 1, blocks, gradient, at);
      }
      return;
    }
    int row = 0;
    while (row < filters) {
      int rest = filters - row;
      int taken = rest >= 5 && (rest % 4 != 0 || rest >= 20) ? 5 : 4;
      // The last four may overlap those before: what both write is the same.
      rows(Math.min(row, filters - taken), taken, blocks, gradient, at);
      row += taken;
    }
  }

  /** Filters {@code row} to {@code row + count - 1}: tiles of four taps, or single ones. */
  private void rows(int row, int count, int blocks, float[] gradient, int at) {
    int width = count == 1 ? 1 : TAPS;
    int tiles = (places.length + width - 1) / width;
    int slot = count * width * COUNT;
    Arrays.fill(sums, 0, tiles * slot, 0);
    for (int block = 0; block < blocks; block++) {
      for (first = 0; first < from.length; first += RUN) {
        last = Math.min(first + RUN, from.length);
        for (int tile = 0; tile < tiles; tile++) {
          int tap = Math.min(tile * width, places.length - width);
          for (int part = 0; part < COUNT; part += WIDTH) {
            int slopeAt = block * slopeBlock + row * slopeRow + part;
            tile(count, slopeAt, block * pictureBlock + part, tap, tile * slot + part);
          }
        }
      }
    }
    for (int tile = 0; tile < tiles; tile++) {
      int tap = Math.min(tile * width, places.length - width);
      for (int r = 0; r < count; r++) {
        for (int t = 0; t < width; t++) {
          gradient[at + (row + r) * places.length + tap + t] =
              Flat.sumLanes(sums, tile * slot + (r * width + t) * COUNT);
        }
      }
    }
  }

  private void tile(int count, int slopeAt, int pictureAt, int tap, int sumsAt) {
    switch (count) {
      case 5 -> fiveByFour(slopeAt, pictureAt, tap);
      case 4 -> fourByFour(slopeAt, pictureAt, tap);
      default -> oneByOne(slopeAt, pictureAt + places[tap]);
    }
    finish(sumsAt, count == 1 ? 1 : count * TAPS);
  }

  private void oneByOne(int slopeAt, int pictureAt) {
    FloatVector sum = FloatVector.zero(SPECIES);
    for (int p = first; p < last; p++) {
      sum =
          FloatVector.fromArray(SPECIES, slope, slopeAt + p * COUNT)
              .fma(FloatVector.fromArray(SPECIES, picture, pictureAt + from[p]), sum);
    }
    sum.intoArray(tile, 0);
  }

  /** Adds the tile to the sums. */
  private void finish(int sumsAt, int count) {
    for (int i = 0; i < count; i++) {
      int at = sumsAt + i * COUNT;
      FloatVector.fromArray(SPECIES, tile, i * COUNT)
          .add(FloatVector.fromArray(SPECIES, sums, at))
          .intoArray(sums, at);
    }
  }

  private void fiveByFour(int slopeAt, int pictureAt, int at) {
    int from0 = places[at], from1 = places[at + 1], from2 = places[at + 2], from3 = places[at + 3];
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector a0 = zero, a1 = zero, a2 = zero, a3 = zero, b0 = zero, b1 = zero, b2 = zero;
    FloatVector b3 = zero, c0 = zero, c1 = zero, c2 = zero, c3 = zero, d0 = zero, d1 = zero;
    FloatVector d2 = zero, d3 = zero, e0 = zero, e1 = zero, e2 = zero, e3 = zero;
    for (int p = first; p < last; p++) {
      int place = pictureAt + from[p];
      FloatVector x0 = FloatVector.fromArray(SPECIES, picture, from0 + place);
      FloatVector x1 = FloatVector.fromArray(SPECIES, picture, from1 + place);
      FloatVector x2 = FloatVector.fromArray(SPECIES, picture, from2 + place);
      FloatVector x3 = FloatVector.fromArray(SPECIES, picture, from3 + place);
      int i = slopeAt + p * COUNT;
      FloatVector w = FloatVector.fromArray(SPECIES, slope, i);
      a0 = w.fma(x0, a0);
      a1 = w.fma(x1, a1);
      a2 = w.fma(x2, a2);
      a3 = w.fma(x3, a3);
      w = FloatVector.fromArray(SPECIES, slope, i + slopeRow);
      b0 = w.fma(x0, b0);
      b1 = w.fma(x1, b1);
      b2 = w.fma(x2, b2);
      b3 = w.fma(x3, b3);
      w = FloatVector.fromArray(SPECIES, slope, i + 2 * slopeRow);
      c0 = w.fma(x0, c0);
      c1 = w.fma(x1, c1);
      c2 = w.fma(x2, c2);
      c3 = w.fma(x3, c3);
      w = FloatVector.fromArray(SPECIES, slope, i + 3 * slopeRow);
      d0 = w.fma(x0, d0);
      d1 = w.fma(x1, d1);
      d2 = w.fma(x2, d2);
      d3 = w.fma(x3, d3);
      w = FloatVector.fromArray(SPECIES, slope, i + 4 * slopeRow);
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

  private void fourByFour(int slopeAt, int pictureAt, int at) {
    int from0 = places[at], from1 = places[at + 1], from2 = places[at + 2], from3 = places[at + 3];
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector a0 = zero, a1 = zero, a2 = zero, a3 = zero, b0 = zero, b1 = zero, b2 = zero;
    FloatVector b3 = zero, c0 = zero, c1 = zero, c2 = zero, c3 = zero, d0 = zero, d1 = zero;
    FloatVector d2 = zero, d3 = zero;
    for (int p = first; p < last; p++) {
      int place = pictureAt + from[p];
      FloatVector x0 = FloatVector.fromArray(SPECIES, picture, from0 + place);
      FloatVector x1 = FloatVector.fromArray(SPECIES, picture, from1 + place);
      FloatVector x2 = FloatVector.fromArray(SPECIES, picture, from2 + place);
      FloatVector x3 = FloatVector.fromArray(SPECIES, picture, from3 + place);
      int i = slopeAt + p * COUNT;
      FloatVector w = FloatVector.fromArray(SPECIES, slope, i);
      a0 = w.fma(x0, a0);
      a1 = w.fma(x1, a1);
      a2 = w.fma(x2, a2);
      a3 = w.fma(x3, a3);
      w = FloatVector.fromArray(SPECIES, slope, i + slopeRow);
      b0 = w.fma(x0, b0);
      b1 = w.fma(x1, b1);
      b2 = w.fma(x2, b2);
      b3 = w.fma(x3, b3);
      w = FloatVector.fromArray(SPECIES, slope, i + 2 * slopeRow);
      c0 = w.fma(x0, c0);
      c1 = w.fma(x1, c1);
      c2 = w.fma(x2, c2);
      c3 = w.fma(x3, c3);
      w = FloatVector.fromArray(SPECIES, slope, i + 3 * slopeRow);
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
}
