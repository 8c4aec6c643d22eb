package io.kindred.learning.engine.jvm;

import static io.kindred.learning.engine.jvm.Lanes.BLOCK_SIZE;
import static io.kindred.learning.engine.jvm.Lanes.SPECIES;
import static io.kindred.learning.engine.jvm.Lanes.VECTOR_WIDTH;

import io.kindred.learning.model.LayerShape;
import io.kindred.learning.model.Volume;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/**
 * As {@link FilterGradient}, with its bits, from the values of the output gradient that are not
 * zero. A row of the filter lies over neighbouring values of a picture whose channels are side by
 * side, so that registers hold taps in place of samples. Leaving out products with zero changes no
 * bit: every sum begins with a positive zero.
 */
final class SparseFilterGradient {
  /** Sums of so many taps stay in the second-level cache. */
  private static final int MOST_SUMS = 1 << 18;

  /** A product waits for the one before it in its sum as long as other products take. */
  private static final int CHAIN = 5;

  private final LayerShape.GroupedConvolution shape;
  private final int filterRow;
  private final int registersPerRow;
  private final int pictureRow;
  private final int pictureSize;
  private final int sumsPerFilter;
  private final int filtersAtOnce;
  private final float[] sums;
  // Inputs of the current run; fields, because a dozen parameters would hide the arithmetic.
  private float[] values = {};
  private int[] places = {};
  private float[] pictures = {};

  SparseFilterGradient(LayerShape.GroupedConvolution shape, Volume picture) {
    this.shape = shape;
    filterRow = shape.kernel().width() * shape.depth();
    registersPerRow = (filterRow + VECTOR_WIDTH - 1) / VECTOR_WIDTH;
    pictureRow = picture.width() * picture.channels();
    pictureSize = picture.size();
    sumsPerFilter = shape.kernel().height() * registersPerRow * VECTOR_WIDTH;
    filtersAtOnce = Math.clamp(MOST_SUMS / (BLOCK_SIZE * sumsPerFilter), 1, shape.filters());
    sums = new float[BLOCK_SIZE * filtersAtOnce * sumsPerFilter];
  }

  /** The time for one value of the output gradient, in products of registers. */
  int timePerValue() {
    return shape.kernel().height() * Math.max(registersPerRow, CHAIN);
  }

  /** Writes filters times taps values from {@code at} on. */
  void compute(
      SparseOutputGradient nonzero, float[] pictures, int blocks, float[] gradient, int at) {
    this.pictures = pictures;
    values = nonzero.values();
    places = nonzero.places();
    for (int first = 0; first < shape.filters(); first += filtersAtOnce) {
      int end = Math.min(first + filtersAtOnce, shape.filters());
      Arrays.fill(sums, 0);
      for (int lane = 0; lane < BLOCK_SIZE; lane++) {
        for (int block = 0; block < blocks; block++) {
          for (int filter = first; filter < end; filter++) {
            int sample = block * BLOCK_SIZE + lane;
            int sumsAt = (lane * filtersAtOnce + filter - first) * sumsPerFilter;
            addSample(nonzero, sample, filter, sumsAt);
          }
        }
      }
      sumLanes();
      for (int filter = first; filter < end; filter++) {
        write((filter - first) * sumsPerFilter, gradient, at + filter * shape.fanIn());
      }
    }
  }

  private void addSample(SparseOutputGradient nonzero, int sample, int filter, int sumsAt) {
    int end = nonzero.end(sample, filter);
    int from = nonzero.start(sample, filter);
    for (int position = 0; from < end; position += FilterGradient.RUN_LENGTH) {
      int placeAfter = nonzero.placeOf(position + FilterGradient.RUN_LENGTH);
      int to = from;
      while (to < end && places[to] < placeAfter) {
        to++;
      }
      if (from < to) {
        addRun(from, to, sample * pictureSize, sumsAt);
      }
      from = to;
    }
  }

  /** Adds a run of values to the sums of a filter. */
  private void addRun(int from, int to, int pictureAt, int sumsAt) {
    for (int row = 0; row < shape.kernel().height(); row++) {
      int shift = pictureAt + row * pictureRow;
      int at = sumsAt + row * registersPerRow * VECTOR_WIDTH;
      int register = 0;
      for (; register + 10 <= registersPerRow; register += 10) {
        tenRegisters(from, to, shift + register * VECTOR_WIDTH, at + register * VECTOR_WIDTH);
      }
      for (; register + 3 <= registersPerRow; register += 3) {
        threeRegisters(from, to, shift + register * VECTOR_WIDTH, at + register * VECTOR_WIDTH);
      }
      for (; register < registersPerRow; register++) {
        oneRegister(from, to, shift + register * VECTOR_WIDTH, at + register * VECTOR_WIDTH);
      }
    }
  }

  private FloatVector picture(int at) {
    return FloatVector.fromArray(SPECIES, pictures, at);
  }

  private void add(FloatVector run, int at) {
    FloatVector.fromArray(SPECIES, sums, at).add(run).intoArray(sums, at);
  }

  private void tenRegisters(int from, int to, int shift, int at) {
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector a = zero, b = zero, c = zero, d = zero, e = zero;
    FloatVector f = zero, g = zero, h = zero, i = zero, j = zero;
    for (int k = from; k < to; k++) {
      FloatVector value = FloatVector.broadcast(SPECIES, values[k]);
      int place = places[k] + shift;
      a = value.fma(picture(place), a);
      b = value.fma(picture(place + VECTOR_WIDTH), b);
      c = value.fma(picture(place + 2 * VECTOR_WIDTH), c);
      d = value.fma(picture(place + 3 * VECTOR_WIDTH), d);
      e = value.fma(picture(place + 4 * VECTOR_WIDTH), e);
      f = value.fma(picture(place + 5 * VECTOR_WIDTH), f);
      g = value.fma(picture(place + 6 * VECTOR_WIDTH), g);
      h = value.fma(picture(place + 7 * VECTOR_WIDTH), h);
      i = value.fma(picture(place + 8 * VECTOR_WIDTH), i);
      j = value.fma(picture(place + 9 * VECTOR_WIDTH), j);
    }
    add(a, at);
    add(b, at + VECTOR_WIDTH);
    add(c, at + 2 * VECTOR_WIDTH);
    add(d, at + 3 * VECTOR_WIDTH);
    add(e, at + 4 * VECTOR_WIDTH);
    add(f, at + 5 * VECTOR_WIDTH);
    add(g, at + 6 * VECTOR_WIDTH);
    add(h, at + 7 * VECTOR_WIDTH);
    add(i, at + 8 * VECTOR_WIDTH);
    add(j, at + 9 * VECTOR_WIDTH);
  }

  private void threeRegisters(int from, int to, int shift, int at) {
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector a = zero, b = zero, c = zero;
    for (int k = from; k < to; k++) {
      FloatVector value = FloatVector.broadcast(SPECIES, values[k]);
      int place = places[k] + shift;
      a = value.fma(picture(place), a);
      b = value.fma(picture(place + VECTOR_WIDTH), b);
      c = value.fma(picture(place + 2 * VECTOR_WIDTH), c);
    }
    add(a, at);
    add(b, at + VECTOR_WIDTH);
    add(c, at + 2 * VECTOR_WIDTH);
  }

  private void oneRegister(int from, int to, int shift, int at) {
    FloatVector run = FloatVector.zero(SPECIES);
    for (int k = from; k < to; k++) {
      run = FloatVector.broadcast(SPECIES, values[k]).fma(picture(places[k] + shift), run);
    }
    add(run, at);
  }

  /** Adds the sums of all lanes, by the tree of VectorKernels, into those of the first. */
  private void sumLanes() {
    int size = filtersAtOnce * sumsPerFilter;
    for (int at = 0; at < size; at += VECTOR_WIDTH) {
      FloatVector a = fourLanes(at, 0, size).add(fourLanes(at, 2, size));
      FloatVector b = fourLanes(at, 1, size).add(fourLanes(at, 3, size));
      a.add(b).intoArray(sums, at);
    }
  }

  private FloatVector fourLanes(int at, int lane, int size) {
    FloatVector a = ofLane(at, lane, size).add(ofLane(at, lane + 8, size));
    FloatVector b = ofLane(at, lane + 4, size).add(ofLane(at, lane + 12, size));
    return a.add(b);
  }

  private FloatVector ofLane(int at, int lane, int size) {
    return FloatVector.fromArray(SPECIES, sums, lane * size + at);
  }

  private void write(int sumsAt, float[] gradient, int at) {
    int width = shape.kernel().width();
    for (int row = 0; row < shape.kernel().height(); row++) {
      for (int i = 0; i < filterRow; i++) {
        int tap = row * width + i / shape.depth();
        gradient[at + i % shape.depth() * shape.taps() + tap] =
            sums[sumsAt + row * registersPerRow * VECTOR_WIDTH + i];
      }
    }
  }
}
