package io.kindred.learning.engine.jvm;

import static io.kindred.learning.engine.jvm.Lanes.BLOCK_SIZE;
import static io.kindred.learning.engine.jvm.Lanes.SPECIES;
import static io.kindred.learning.engine.jvm.Lanes.VECTOR_WIDTH;

import io.kindred.core.weights.VectorKernels;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/**
 * The gradient of convolution filters: for each filter and each of its taps the sum, over all
 * samples and positions, of the output gradient there times the picture under the tap. Samples lie
 * in the lanes of a register, so the order of the sum is: within a lane runs of {@link #RUN_LENGTH}
 * positions of a block, each one chain of multiply-adds from zero, added up run after run and block
 * after block; then the lanes by the fixed tree of {@link VectorKernels}. ConvolutionReference, in
 * the tests, defines it in plain loops.
 */
final class FilterGradient {
  /**
   * Positions whose output gradients stay in the first-level cache while all taps pass over them.
   */
  static final int RUN_LENGTH = 56;

  private static final int TAPS = 4;

  private final int filters;
  private final int[] taps;
  private final int[] positionOffsets;
  private final int gradientRowStride;
  private final int gradientBlockStride;
  private final int pictureBlockStride;
  private final float[] sums;
  private final float[] tile = new float[5 * TAPS * BLOCK_SIZE];
  // Inputs of the current run; fields, because a dozen parameters would hide the arithmetic.
  private float[] outputGradient = {};
  private int outputGradientAt;
  private float[] picture = {};
  private int pictureAt;
  private int runStart;
  private int runEnd;

  /**
   * {@code filters} are those of one group; {@code taps} are the offsets of the taps and {@code
   * positionOffsets} those of the positions in a block of pictures; {@code pictureBlockStride} is
   * the size of such a block.
   */
  FilterGradient(
      int filters, int groups, int[] taps, int[] positionOffsets, int pictureBlockStride) {
    this.filters = filters;
    this.taps = taps;
    this.positionOffsets = positionOffsets;
    this.gradientRowStride = positionOffsets.length * BLOCK_SIZE;
    this.gradientBlockStride = groups * filters * gradientRowStride;
    this.pictureBlockStride = pictureBlockStride;
    this.sums = new float[(taps.length + TAPS - 1) / TAPS * 5 * TAPS * BLOCK_SIZE];
  }

  /** Writes filters times taps values of a group from {@code at} on. */
  void compute(
      int group,
      float[] outputGradient,
      float[] picture,
      int pictureAt,
      int blocks,
      float[] gradient,
      int at) {
    this.outputGradient = outputGradient;
    this.outputGradientAt = group * filters * gradientRowStride;
    this.picture = picture;
    this.pictureAt = pictureAt;
    if (taps.length < TAPS || filters < 4) {
      for (int row = 0; row < filters; row++) {
        rows(row, 1, blocks, gradient, at);
      }
      return;
    }
    int row = 0;
    while (row < filters) {
      int rest = filters - row;
      int taken = rest >= 5 && (rest % 4 != 0 || rest >= 20) ? 5 : 4;
      // The last four may overlap the rows before: both write the same values.
      rows(Math.min(row, filters - taken), taken, blocks, gradient, at);
      row += taken;
    }
  }

  /** Filters {@code row} to {@code row + count - 1}: tiles of four taps, or single taps. */
  private void rows(int row, int count, int blocks, float[] gradient, int at) {
    int width = count == 1 ? 1 : TAPS;
    int tiles = (taps.length + width - 1) / width;
    int slot = count * width * BLOCK_SIZE;
    Arrays.fill(sums, 0, tiles * slot, 0);
    for (int block = 0; block < blocks; block++) {
      for (runStart = 0; runStart < positionOffsets.length; runStart += RUN_LENGTH) {
        runEnd = Math.min(runStart + RUN_LENGTH, positionOffsets.length);
        for (int tile = 0; tile < tiles; tile++) {
          int tap = Math.min(tile * width, taps.length - width);
          for (int part = 0; part < BLOCK_SIZE; part += VECTOR_WIDTH) {
            int gradientAt =
                outputGradientAt + block * gradientBlockStride + row * gradientRowStride + part;
            int from = pictureAt + block * pictureBlockStride + part;
            tile(count, gradientAt, from, tap, tile * slot + part);
          }
        }
      }
    }
    for (int tile = 0; tile < tiles; tile++) {
      int tap = Math.min(tile * width, taps.length - width);
      for (int r = 0; r < count; r++) {
        for (int t = 0; t < width; t++) {
          gradient[at + (row + r) * taps.length + tap + t] =
              VectorKernels.sumLanes(sums, tile * slot + (r * width + t) * BLOCK_SIZE);
        }
      }
    }
  }

  private void tile(int count, int gradientAt, int pictureAt, int tap, int sumsAt) {
    switch (count) {
      case 5 -> fiveByFour(gradientAt, pictureAt, tap);
      case 4 -> fourByFour(gradientAt, pictureAt, tap);
      default -> oneByOne(gradientAt, pictureAt + taps[tap]);
    }
    accumulateTile(sumsAt, count == 1 ? 1 : count * TAPS);
  }

  private void oneByOne(int gradientAt, int pictureAt) {
    FloatVector sum = FloatVector.zero(SPECIES);
    for (int p = runStart; p < runEnd; p++) {
      sum =
          FloatVector.fromArray(SPECIES, outputGradient, gradientAt + p * BLOCK_SIZE)
              .fma(FloatVector.fromArray(SPECIES, picture, pictureAt + positionOffsets[p]), sum);
    }
    sum.intoArray(tile, 0);
  }

  /** Adds the tile to the sums. */
  private void accumulateTile(int sumsAt, int count) {
    for (int i = 0; i < count; i++) {
      int at = sumsAt + i * BLOCK_SIZE;
      FloatVector.fromArray(SPECIES, tile, i * BLOCK_SIZE)
          .add(FloatVector.fromArray(SPECIES, sums, at))
          .intoArray(sums, at);
    }
  }

  private void fiveByFour(int gradientAt, int pictureAt, int at) {
    int from0 = taps[at], from1 = taps[at + 1], from2 = taps[at + 2], from3 = taps[at + 3];
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector a0 = zero, a1 = zero, a2 = zero, a3 = zero, b0 = zero, b1 = zero, b2 = zero;
    FloatVector b3 = zero, c0 = zero, c1 = zero, c2 = zero, c3 = zero, d0 = zero, d1 = zero;
    FloatVector d2 = zero, d3 = zero, e0 = zero, e1 = zero, e2 = zero, e3 = zero;
    for (int p = runStart; p < runEnd; p++) {
      int offset = pictureAt + positionOffsets[p];
      FloatVector x0 = FloatVector.fromArray(SPECIES, picture, from0 + offset);
      FloatVector x1 = FloatVector.fromArray(SPECIES, picture, from1 + offset);
      FloatVector x2 = FloatVector.fromArray(SPECIES, picture, from2 + offset);
      FloatVector x3 = FloatVector.fromArray(SPECIES, picture, from3 + offset);
      int i = gradientAt + p * BLOCK_SIZE;
      FloatVector w = FloatVector.fromArray(SPECIES, outputGradient, i);
      a0 = w.fma(x0, a0);
      a1 = w.fma(x1, a1);
      a2 = w.fma(x2, a2);
      a3 = w.fma(x3, a3);
      w = FloatVector.fromArray(SPECIES, outputGradient, i + gradientRowStride);
      b0 = w.fma(x0, b0);
      b1 = w.fma(x1, b1);
      b2 = w.fma(x2, b2);
      b3 = w.fma(x3, b3);
      w = FloatVector.fromArray(SPECIES, outputGradient, i + 2 * gradientRowStride);
      c0 = w.fma(x0, c0);
      c1 = w.fma(x1, c1);
      c2 = w.fma(x2, c2);
      c3 = w.fma(x3, c3);
      w = FloatVector.fromArray(SPECIES, outputGradient, i + 3 * gradientRowStride);
      d0 = w.fma(x0, d0);
      d1 = w.fma(x1, d1);
      d2 = w.fma(x2, d2);
      d3 = w.fma(x3, d3);
      w = FloatVector.fromArray(SPECIES, outputGradient, i + 4 * gradientRowStride);
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

  private void fourByFour(int gradientAt, int pictureAt, int at) {
    int from0 = taps[at], from1 = taps[at + 1], from2 = taps[at + 2], from3 = taps[at + 3];
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector a0 = zero, a1 = zero, a2 = zero, a3 = zero, b0 = zero, b1 = zero, b2 = zero;
    FloatVector b3 = zero, c0 = zero, c1 = zero, c2 = zero, c3 = zero, d0 = zero, d1 = zero;
    FloatVector d2 = zero, d3 = zero;
    for (int p = runStart; p < runEnd; p++) {
      int offset = pictureAt + positionOffsets[p];
      FloatVector x0 = FloatVector.fromArray(SPECIES, picture, from0 + offset);
      FloatVector x1 = FloatVector.fromArray(SPECIES, picture, from1 + offset);
      FloatVector x2 = FloatVector.fromArray(SPECIES, picture, from2 + offset);
      FloatVector x3 = FloatVector.fromArray(SPECIES, picture, from3 + offset);
      int i = gradientAt + p * BLOCK_SIZE;
      FloatVector w = FloatVector.fromArray(SPECIES, outputGradient, i);
      a0 = w.fma(x0, a0);
      a1 = w.fma(x1, a1);
      a2 = w.fma(x2, a2);
      a3 = w.fma(x3, a3);
      w = FloatVector.fromArray(SPECIES, outputGradient, i + gradientRowStride);
      b0 = w.fma(x0, b0);
      b1 = w.fma(x1, b1);
      b2 = w.fma(x2, b2);
      b3 = w.fma(x3, b3);
      w = FloatVector.fromArray(SPECIES, outputGradient, i + 2 * gradientRowStride);
      c0 = w.fma(x0, c0);
      c1 = w.fma(x1, c1);
      c2 = w.fma(x2, c2);
      c3 = w.fma(x3, c3);
      w = FloatVector.fromArray(SPECIES, outputGradient, i + 3 * gradientRowStride);
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
}
