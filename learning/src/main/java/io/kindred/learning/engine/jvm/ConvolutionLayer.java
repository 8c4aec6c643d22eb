package io.kindred.learning.engine.jvm;

import static io.kindred.learning.engine.jvm.Lanes.BLOCK_SIZE;
import static io.kindred.learning.engine.jvm.Lanes.SPECIES;
import static io.kindred.learning.engine.jvm.Lanes.VECTORS_PER_BLOCK;
import static io.kindred.learning.engine.jvm.Lanes.VECTOR_WIDTH;

import io.kindred.core.weights.VectorKernels;
import io.kindred.learning.model.LayerShape;
import io.kindred.learning.model.Volume;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/**
 * A convolution with square filters, with the bits of the plain loops in the tests
 * (ConvolutionReference). Samples lie side by side, so pictures need no unfolding: a tap is an
 * offset relative to a position. The gradient along the inputs is itself a convolution, of the
 * gradient along the outputs (dilated by the stride) with the flipped filters.
 */
final class ConvolutionLayer implements JvmLayer {
  private final LayerShape.Convolution shape;
  private final int offset;
  private final boolean needsInputGradient;
  private final int fanIn;
  private final int area;
  private final float[] zeros;
  private final float[] lanes = new float[BLOCK_SIZE];
  private final ZeroPadding zeroPadding;
  private final Gemm forwardGemm;
  private final FilterGradient filterGradient;
  private final Gemm inputGradientGemm;
  private final float[] flippedFilters;
  private final float[] spread;
  private float[] paddedInput = {};
  private float[] out = {};
  private float[] back = {};

  /** {@code needsInputGradient} is whether a layer before this one has weights to train. */
  ConvolutionLayer(int offset, LayerShape.Convolution shape, boolean needsInputGradient) {
    this.shape = shape;
    this.offset = offset;
    this.needsInputGradient = needsInputGradient;
    Volume input = shape.input();
    fanIn = shape.fanIn();
    area = shape.output().area();
    zeros = new float[Math.max(shape.filters(), input.channels())];
    zeroPadding = new ZeroPadding(input, shape.padding());
    Volume padded = zeroPadding.paddedVolume();
    int[] offsets = tapOffsets(input.channels(), padded);
    forwardGemm =
        new Gemm(
            fanIn,
            1,
            offsets,
            positionOffsets(shape.output(), padded, shape.stride(), VECTORS_PER_BLOCK),
            area * BLOCK_SIZE,
            VECTOR_WIDTH);
    filterGradient =
        new FilterGradient(
            shape.filters(),
            offsets,
            positionOffsets(shape.output(), padded, shape.stride(), 1),
            padded.size() * BLOCK_SIZE);
    int more = shape.kernel() - 1;
    Volume wide = new Volume(shape.filters(), input.height() + more, input.width() + more);
    int flippedFanIn = shape.filters() * shape.kernel() * shape.kernel();
    inputGradientGemm =
        new Gemm(
            flippedFanIn,
            1,
            tapOffsets(shape.filters(), wide),
            positionOffsets(input, wide, 1, VECTORS_PER_BLOCK),
            input.area() * BLOCK_SIZE,
            VECTOR_WIDTH);
    flippedFilters = new float[needsInputGradient ? flippedFanIn * input.channels() : 0];
    spread = new float[needsInputGradient ? wide.size() * BLOCK_SIZE : 0];
  }

  /** The offsets of a filter's taps in a block, relative to its first tap. */
  private int[] tapOffsets(int channels, Volume in) {
    int kernel = shape.kernel();
    int[] offsets = new int[channels * kernel * kernel];
    Arrays.setAll(
        offsets,
        k -> {
          int channel = k / (kernel * kernel);
          int row = k / kernel % kernel;
          return (channel * in.area() + row * in.width() + k % kernel) * BLOCK_SIZE;
        });
    return offsets;
  }

  /** The offset of the first tap in a block for each position, and for each of its registers. */
  private static int[] positionOffsets(Volume of, Volume in, int stride, int parts) {
    int[] offsets = new int[of.area() * parts];
    Arrays.setAll(
        offsets,
        column -> {
          int row = column / parts / of.width() * stride;
          int x = column / parts % of.width() * stride;
          return (row * in.width() + x) * BLOCK_SIZE + column % parts * VECTOR_WIDTH;
        });
    return offsets;
  }

  @Override
  public float[] forwardInference(float[] weights, float[] x, int samples) {
    int blocks = Lanes.blocks(samples);
    int filters = shape.filters();
    paddedInput = zeroPadding.pad(x, blocks);
    out = Lanes.ensureCapacity(out, blocks * filters * area * BLOCK_SIZE);
    int pictureBlockStride = zeroPadding.paddedVolume().size() * BLOCK_SIZE;
    boolean biased = shape.bias();
    forwardGemm.withInitialValues(biased ? weights : zeros, biased ? offset + filters * fanIn : 0);
    for (int block = 0; block < blocks; block++) {
      int to = block * filters * area * BLOCK_SIZE;
      forwardGemm.multiply(
          weights,
          offset,
          paddedInput,
          block * pictureBlockStride,
          out,
          to,
          filters,
          area * VECTORS_PER_BLOCK,
          fanIn);
    }
    return out;
  }

  @Override
  public float[] backward(float[] weights, float[] outputGradient, int samples, float[] gradient) {
    int blocks = Lanes.blocks(samples);
    filterGradient.compute(outputGradient, paddedInput, blocks, gradient, offset);
    if (shape.bias()) {
      biasGradient(outputGradient, blocks, gradient);
    }
    if (needsInputGradient) {
      inputGradient(weights, outputGradient, blocks);
    }
    return back;
  }

  private void biasGradient(float[] outputGradient, int blocks, float[] gradient) {
    for (int f = 0; f < shape.filters(); f++) {
      for (int part = 0; part < BLOCK_SIZE; part += VECTOR_WIDTH) {
        FloatVector sum = FloatVector.zero(SPECIES);
        for (int block = 0; block < blocks; block++) {
          int at = (block * shape.filters() + f) * area * BLOCK_SIZE + part;
          for (int p = 0; p < area; p++) {
            sum = sum.add(FloatVector.fromArray(SPECIES, outputGradient, at + p * BLOCK_SIZE));
          }
        }
        sum.intoArray(lanes, part);
      }
      gradient[offset + shape.filters() * fanIn + f] = VectorKernels.sumLanes(lanes, 0);
    }
  }

  private void inputGradient(float[] weights, float[] outputGradient, int blocks) {
    Volume input = shape.input();
    int channels = input.channels();
    flipFilters(weights);
    back = Lanes.ensureCapacity(back, blocks * input.size() * BLOCK_SIZE);
    inputGradientGemm.withInitialValues(zeros, 0);
    for (int block = 0; block < blocks; block++) {
      spread(outputGradient, block);
      int to = block * input.size() * BLOCK_SIZE;
      int steps = shape.filters() * shape.kernel() * shape.kernel();
      inputGradientGemm.multiply(
          flippedFilters,
          0,
          spread,
          0,
          back,
          to,
          channels,
          input.area() * VECTORS_PER_BLOCK,
          steps);
    }
  }

  /** From filters x channels x taps to channels x filters x taps, last tap first. */
  private void flipFilters(float[] weights) {
    int taps = shape.kernel() * shape.kernel();
    int channels = shape.input().channels();
    for (int f = 0; f < shape.filters(); f++) {
      for (int c = 0; c < channels; c++) {
        int from = offset + (f * channels + c) * taps;
        int to = (c * shape.filters() + f) * taps;
        for (int tap = 0; tap < taps; tap++) {
          flippedFilters[to + tap] = weights[from + taps - 1 - tap];
        }
      }
    }
  }

  /**
   * Writes the output gradient of one block to where the flipped filters read it; all else stays
   * zero.
   */
  private void spread(float[] outputGradient, int block) {
    Volume output = shape.output();
    int more = shape.kernel() - 1;
    int height = shape.input().height() + more;
    int width = shape.input().width() + more;
    int frame = more - shape.padding();
    for (int f = 0; f < shape.filters(); f++) {
      for (int y = 0; y < output.height(); y++) {
        int row = frame + y * shape.stride();
        int from = ((block * shape.filters() + f) * area + y * output.width()) * BLOCK_SIZE;
        for (int x = 0; row >= 0 && row < height && x < output.width(); x++) {
          int column = frame + x * shape.stride();
          if (column >= 0 && column < width) {
            int to = ((f * height + row) * width + column) * BLOCK_SIZE;
            System.arraycopy(outputGradient, from + x * BLOCK_SIZE, spread, to, BLOCK_SIZE);
          }
        }
      }
    }
  }
}
