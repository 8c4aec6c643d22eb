package io.kindred.learning.engine.jvm;

import static io.kindred.learning.engine.jvm.Lanes.BLOCK_SIZE;
import static io.kindred.learning.engine.jvm.Lanes.VECTORS_PER_BLOCK;
import static io.kindred.learning.engine.jvm.Lanes.VECTOR_WIDTH;

import io.kindred.learning.model.LayerShape;
import io.kindred.learning.model.Volume;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The gradient of a convolution along its inputs: itself a convolution, of the gradient along the
 * outputs (dilated by the stride, inside a frame of zeros) with the flipped filters. Most positions
 * of small pictures have taps over the frame, and all positions of strided filters have taps
 * between the outputs; positions whose taps over outputs are the same are computed together,
 * without the other taps.
 */
final class InputGradient {
  private final LayerShape.GroupedConvolution shape;
  private final int offset;
  private final Volume wide;
  private final int taps;
  private final int frameRows;
  private final int frameColumns;
  private final GappedGemm gemm;
  private final float[] spread;
  private float[] back = {};

  InputGradient(int offset, LayerShape.GroupedConvolution shape) {
    this.shape = shape;
    this.offset = offset;
    Volume input = shape.input();
    int moreRows = shape.kernel().height() - 1;
    int moreColumns = shape.kernel().width() - 1;
    frameRows = moreRows - shape.padding().height();
    frameColumns = moreColumns - shape.padding().width();
    wide =
        new Volume(shape.filtersPerGroup(), input.height() + moreRows, input.width() + moreColumns);
    taps = shape.taps();
    spread = new float[wide.size() * BLOCK_SIZE];
    gemm = gemm(input);
  }

  private GappedGemm gemm(Volume input) {
    BitSet[] tapsOverOutputs = new BitSet[input.area()];
    for (int position = 0; position < tapsOverOutputs.length; position++) {
      tapsOverOutputs[position] = tapsOverOutputs(position);
    }
    // Positions with the same taps follow each other, so that a tile of columns rarely mixes sets.
    int[] order =
        IntStream.range(0, input.area())
            .boxed()
            .sorted(
                Comparator.comparing(
                        (Integer position) -> tapsOverOutputs[position].toLongArray(),
                        Arrays::compare)
                    .thenComparing(Comparator.naturalOrder()))
            .mapToInt(Integer::intValue)
            .toArray();
    int columns = order.length * VECTORS_PER_BLOCK;
    int[] from = new int[columns];
    int[] to = new int[columns];
    BitSet[] steps = new BitSet[columns];
    for (int column = 0; column < columns; column++) {
      int position = order[column / VECTORS_PER_BLOCK];
      int part = column % VECTORS_PER_BLOCK * VECTOR_WIDTH;
      int row = position / input.width();
      from[column] = (row * wide.width() + position % input.width()) * BLOCK_SIZE + part;
      to[column] = position * BLOCK_SIZE + part;
      steps[column] = tapsOverOutputs[position];
    }
    int[] tapOffsets = ConvolutionLayer.tapOffsets(wide.channels(), shape.kernel(), wide);
    return new GappedGemm(
        shape.depth(), tapOffsets, from, input.area() * BLOCK_SIZE, to, steps, taps);
  }

  /** The taps of the flipped filter at a position of the input that lie over an output. */
  private BitSet tapsOverOutputs(int position) {
    int row = position / shape.input().width();
    int column = position % shape.input().width();
    Volume output = shape.output();
    BitSet over = new BitSet(taps);
    for (int tap = 0; tap < taps; tap++) {
      int tapRow = row + tap / shape.kernel().width() - frameRows;
      int tapColumn = column + tap % shape.kernel().width() - frameColumns;
      over.set(
          tap,
          isOutput(tapRow, shape.stride().height(), output.height())
              && isOutput(tapColumn, shape.stride().width(), output.width()));
    }
    return over;
  }

  /** Whether a row or column of the dilated gradient holds outputs. */
  private static boolean isOutput(int dilated, int stride, int extent) {
    return dilated >= 0 && dilated % stride == 0 && dilated / stride < extent;
  }

  float[] compute(float[] weights, float[] outputGradient, int blocks) {
    Volume input = shape.input();
    back = Lanes.ensureCapacity(back, blocks * input.size() * BLOCK_SIZE);
    for (int group = 0; group < shape.groups(); group++) {
      gemm.setFlipped(weights, offset + group * shape.filtersPerGroup() * shape.fanIn());
      for (int block = 0; block < blocks; block++) {
        spread(outputGradient, block * shape.filters() + group * shape.filtersPerGroup());
        int plane = block * input.channels() + group * shape.depth();
        gemm.multiply(spread, 0, back, plane * input.area() * BLOCK_SIZE);
      }
    }
    return back;
  }

  /**
   * Writes the output gradient of a block's planes from {@code plane} on to where the flipped
   * filters read it; all else stays zero.
   */
  private void spread(float[] outputGradient, int plane) {
    Volume output = shape.output();
    for (int f = 0; f < wide.channels(); f++) {
      for (int y = 0; y < output.height(); y++) {
        int row = frameRows + y * shape.stride().height();
        int from = ((plane + f) * output.area() + y * output.width()) * BLOCK_SIZE;
        for (int x = 0; row >= 0 && row < wide.height() && x < output.width(); x++) {
          int column = frameColumns + x * shape.stride().width();
          if (column >= 0 && column < wide.width()) {
            int to = ((f * wide.height() + row) * wide.width() + column) * BLOCK_SIZE;
            System.arraycopy(outputGradient, from + x * BLOCK_SIZE, spread, to, BLOCK_SIZE);
          }
        }
      }
    }
  }
}
