package io.kindred.learning.engine.jvm;

import static io.kindred.learning.engine.jvm.Lanes.BLOCK_SIZE;
import static io.kindred.learning.engine.jvm.Lanes.SPECIES;
import static io.kindred.learning.engine.jvm.Lanes.VECTORS_PER_BLOCK;
import static io.kindred.learning.engine.jvm.Lanes.VECTOR_WIDTH;

import io.kindred.core.weights.VectorKernels;
import io.kindred.learning.model.LayerShape;
import io.kindred.learning.model.LayerShape.GroupedConvolution.Extent;
import io.kindred.learning.model.Volume;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import org.jspecify.annotations.Nullable;

/**
 * A convolution in groups, most often in one, with the bits of the plain loops in the tests
 * (ConvolutionReference). Samples lie side by side, so pictures need no unfolding: a tap is an
 * offset relative to a position.
 */
final class ConvolutionLayer implements JvmLayer {
  private static final float[] NONE = {};

  private final LayerShape.GroupedConvolution shape;
  private final int offset;
  private final int fanIn;
  private final int area;
  private final int paddedGroup;
  private final float[] zeros;
  private final float[] lanes = new float[BLOCK_SIZE];
  private final ZeroPadding zeroPadding;
  private final Gemm forwardGemm;
  private final FilterGradient filterGradient;
  private final @Nullable InputGradient inputGradient;
  private final @Nullable SparseBackward sparseBackward;
  private float[] paddedInput = {};
  private float[] out = {};

  /** {@code needsInputGradient} is whether a layer before this one has weights to train. */
  ConvolutionLayer(int offset, LayerShape.GroupedConvolution shape, boolean needsInputGradient) {
    this.shape = shape;
    this.offset = offset;
    fanIn = shape.fanIn();
    area = shape.output().area();
    zeros = new float[shape.filters()];
    zeroPadding = new ZeroPadding(shape.input(), shape.padding());
    Volume padded = zeroPadding.paddedVolume();
    paddedGroup = shape.depth() * padded.area() * BLOCK_SIZE;
    int[] offsets = tapOffsets(shape.depth(), shape.kernel(), padded);
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
            shape.filtersPerGroup(),
            shape.groups(),
            offsets,
            positionOffsets(shape.output(), padded, shape.stride(), 1),
            padded.size() * BLOCK_SIZE);
    inputGradient = needsInputGradient ? new InputGradient(offset, shape) : null;
    sparseBackward = SparseBackward.of(offset, shape, padded, needsInputGradient);
  }

  /** The offsets of a filter's taps in a block, relative to its first tap. */
  static int[] tapOffsets(int channels, Extent kernel, Volume in) {
    int taps = kernel.height() * kernel.width();
    int[] offsets = new int[channels * taps];
    Arrays.setAll(
        offsets,
        k -> {
          int row = k % taps / kernel.width();
          return (k / taps * in.area() + row * in.width() + k % kernel.width()) * BLOCK_SIZE;
        });
    return offsets;
  }

  /** The offset of the first tap in a block for each position, and for each of its registers. */
  private static int[] positionOffsets(Volume of, Volume in, Extent stride, int parts) {
    int[] offsets = new int[of.area() * parts];
    Arrays.setAll(
        offsets,
        column -> {
          int row = column / parts / of.width() * stride.height();
          int x = column / parts % of.width() * stride.width();
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
    for (int group = 0; group < shape.groups(); group++) {
      int row = group * shape.filtersPerGroup();
      forwardGemm.withInitialValues(
          biased ? weights : zeros, biased ? offset + filters * fanIn + row : 0);
      for (int block = 0; block < blocks; block++) {
        forwardGemm.multiply(
            weights,
            offset + row * fanIn,
            paddedInput,
            block * pictureBlockStride + group * paddedGroup,
            out,
            (block * filters + row) * area * BLOCK_SIZE,
            shape.filtersPerGroup(),
            area * VECTORS_PER_BLOCK,
            fanIn);
      }
    }
    return out;
  }

  @Override
  public float[] backward(float[] weights, float[] outputGradient, int samples, float[] gradient) {
    int blocks = Lanes.blocks(samples);
    if (shape.bias()) {
      biasGradient(outputGradient, blocks, gradient);
    }
    if (sparseBackward != null && sparseBackward.load(outputGradient, blocks)) {
      sparseBackward.filterGradient(paddedInput, blocks, gradient, offset);
      float[] back = sparseBackward.inputGradient(weights, blocks);
      if (back != null) {
        return back;
      }
    } else {
      filterGradients(outputGradient, blocks, gradient);
    }
    return inputGradient == null ? NONE : inputGradient.compute(weights, outputGradient, blocks);
  }

  private void filterGradients(float[] outputGradient, int blocks, float[] gradient) {
    for (int group = 0; group < shape.groups(); group++) {
      int to = offset + group * shape.filtersPerGroup() * fanIn;
      int pictureAt = group * paddedGroup;
      filterGradient.compute(group, outputGradient, paddedInput, pictureAt, blocks, gradient, to);
    }
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
}
