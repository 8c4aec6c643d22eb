package io.kindred.learning.engine.jvm;

import static io.kindred.learning.engine.jvm.Lanes.BLOCK_SIZE;
import static io.kindred.learning.engine.jvm.Lanes.SPECIES;
import static io.kindred.learning.engine.jvm.Lanes.VECTOR_WIDTH;

import io.kindred.learning.model.LayerShape;
import io.kindred.learning.model.LayerShape.GroupedConvolution.Extent;
import io.kindred.learning.model.Volume;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/**
 * As {@link InputGradient}, with its bits, from the values of the output gradient that are not
 * zero: each adds its filter, scaled, around its place in a picture whose channels are side by
 * side. The order of values, filters and taps is that of the sum there, and so are its runs.
 */
final class SparseInputGradient {
  private final LayerShape.GroupedConvolution shape;
  private final Volume picture;
  private final int offset;
  private final float[] filters;
  private final float[] run;
  private final float[] total;
  // Inputs of the current sample; fields, because a dozen parameters would hide the arithmetic.
  private float[] values = {};
  private int[] places = {};
  private int from;
  private int to;

  /** {@code picture} is the padded input. */
  SparseInputGradient(int offset, LayerShape.GroupedConvolution shape, Volume picture) {
    this.offset = offset;
    this.shape = shape;
    this.picture = picture;
    filters = new float[shape.filters() * shape.fanIn()];
    run = new float[picture.size()];
    total = new float[picture.size()];
  }

  /** Whether neighbouring pixels are whole registers, so that what is stored is loaded again. */
  static boolean supports(LayerShape.GroupedConvolution shape) {
    return shape.depth() % VECTOR_WIDTH == 0;
  }

  /** Writes the gradient along the inputs of all blocks. */
  void compute(SparseOutputGradient nonzero, float[] weights, int blocks, float[] back) {
    values = nonzero.values();
    places = nonzero.places();
    putChannelsLast(weights);
    for (int sample = 0; sample < blocks * BLOCK_SIZE; sample++) {
      addFilters(nonzero, sample);
      write(back, sample);
    }
  }

  private void putChannelsLast(float[] weights) {
    int taps = shape.taps();
    int depth = shape.depth();
    for (int filter = 0; filter < shape.filters(); filter++) {
      int first = filter * shape.fanIn();
      for (int channel = 0; channel < depth; channel++) {
        for (int tap = 0; tap < taps; tap++) {
          filters[first + tap * depth + channel] = weights[offset + first + channel * taps + tap];
        }
      }
    }
  }

  private void addFilters(SparseOutputGradient nonzero, int sample) {
    Arrays.fill(total, 0);
    Arrays.fill(run, 0);
    int taps = shape.taps();
    int step = 0;
    for (int filter = 0; filter < shape.filters(); filter++) {
      from = nonzero.start(sample, filter);
      to = nonzero.end(sample, filter);
      for (int tap = 0; tap < taps; ) {
        int end = Math.min(taps, tap + Gemm.RUN_LENGTH - step);
        if (from < to) {
          addTaps(filter, tap, end);
        }
        step += end - tap;
        tap = end;
        if (step == Gemm.RUN_LENGTH) {
          addRun();
          step = 0;
        }
      }
    }
    addRun();
  }

  /** Taps of the flipped filter, whose rows and columns count from the last. */
  private void addTaps(int filter, int first, int end) {
    Extent kernel = shape.kernel();
    int width = kernel.width();
    for (int tap = first; tap < end; ) {
      int flippedRow = tap / width;
      int rowEnd = Math.min(end, (flippedRow + 1) * width);
      int row = kernel.height() - 1 - flippedRow;
      int column = width - (rowEnd - flippedRow * width);
      int weightsAt = filter * shape.fanIn() + (row * width + column) * shape.depth();
      int shift = (row * picture.width() + column) * shape.depth();
      addRow((rowEnd - tap) * shape.depth() / VECTOR_WIDTH, weightsAt, shift);
      tap = rowEnd;
    }
  }

  /**
   * The last columns of the filter come first: of the values in a row of the output, the first lie
   * under the last columns.
   */
  private void addRow(int registers, int weightsAt, int shift) {
    int register = registers;
    while (register > 0) {
      int count = register >= 10 ? 10 : Math.min(register, 2);
      register -= count;
      int at = register * VECTOR_WIDTH;
      switch (count) {
        case 10 -> tenRegisters(weightsAt + at, shift + at);
        case 2 -> twoRegisters(weightsAt + at, shift + at);
        default -> oneRegister(weightsAt + at, shift + at);
      }
    }
  }

  private FloatVector weights(int at) {
    return FloatVector.fromArray(SPECIES, filters, at);
  }

  private void add(FloatVector value, FloatVector weights, int at) {
    value.fma(weights, FloatVector.fromArray(SPECIES, run, at)).intoArray(run, at);
  }

  private void tenRegisters(int at, int shift) {
    FloatVector a = weights(at);
    FloatVector b = weights(at + VECTOR_WIDTH);
    FloatVector c = weights(at + 2 * VECTOR_WIDTH);
    FloatVector d = weights(at + 3 * VECTOR_WIDTH);
    FloatVector e = weights(at + 4 * VECTOR_WIDTH);
    FloatVector f = weights(at + 5 * VECTOR_WIDTH);
    FloatVector g = weights(at + 6 * VECTOR_WIDTH);
    FloatVector h = weights(at + 7 * VECTOR_WIDTH);
    FloatVector i = weights(at + 8 * VECTOR_WIDTH);
    FloatVector j = weights(at + 9 * VECTOR_WIDTH);
    for (int k = from; k < to; k++) {
      FloatVector value = FloatVector.broadcast(SPECIES, values[k]);
      int place = places[k] + shift;
      add(value, a, place);
      add(value, b, place + VECTOR_WIDTH);
      add(value, c, place + 2 * VECTOR_WIDTH);
      add(value, d, place + 3 * VECTOR_WIDTH);
      add(value, e, place + 4 * VECTOR_WIDTH);
      add(value, f, place + 5 * VECTOR_WIDTH);
      add(value, g, place + 6 * VECTOR_WIDTH);
      add(value, h, place + 7 * VECTOR_WIDTH);
      add(value, i, place + 8 * VECTOR_WIDTH);
      add(value, j, place + 9 * VECTOR_WIDTH);
    }
  }

  private void twoRegisters(int at, int shift) {
    FloatVector a = weights(at);
    FloatVector b = weights(at + VECTOR_WIDTH);
    for (int k = from; k < to; k++) {
      FloatVector value = FloatVector.broadcast(SPECIES, values[k]);
      add(value, a, places[k] + shift);
      add(value, b, places[k] + shift + VECTOR_WIDTH);
    }
  }

  private void oneRegister(int at, int shift) {
    FloatVector a = weights(at);
    for (int k = from; k < to; k++) {
      add(FloatVector.broadcast(SPECIES, values[k]), a, places[k] + shift);
    }
  }

  /** Adds the run to the total and begins the next one. */
  private void addRun() {
    FloatVector zero = FloatVector.zero(SPECIES);
    for (int i = 0; i < run.length; i += VECTOR_WIDTH) {
      FloatVector.fromArray(SPECIES, total, i)
          .add(FloatVector.fromArray(SPECIES, run, i))
          .intoArray(total, i);
      zero.intoArray(run, i);
    }
  }

  private void write(float[] back, int sample) {
    Volume input = shape.input();
    int plane = sample / BLOCK_SIZE * input.channels();
    int lane = sample % BLOCK_SIZE;
    for (int position = 0; position < input.area(); position++) {
      int row = position / input.width() + shape.padding().height();
      int column = position % input.width() + shape.padding().width();
      int place = (row * picture.width() + column) * picture.channels();
      for (int channel = 0; channel < input.channels(); channel++) {
        int to = ((plane + channel) * input.area() + position) * BLOCK_SIZE + lane;
        back[to] = total[place + channel];
      }
    }
  }
}
