package io.kindred.learning.engine.jvm;

import static io.kindred.learning.engine.jvm.Lanes.BLOCK_SIZE;
import static io.kindred.learning.engine.jvm.Lanes.VECTOR_WIDTH;

import io.kindred.learning.model.LayerShape;
import io.kindred.learning.model.Volume;
import org.jspecify.annotations.Nullable;

/**
 * The backward pass of a convolution whose output gradient has many zeros. It yields the bits of
 * the pass over all values, so that it may be chosen for each batch.
 */
final class SparseBackward {
  /**
   * Time of a register's product in this pass, which loads one value at a time, over that in the
   * pass over all values, where products share what they load.
   */
  private static final double RELATIVE_COST = 1.6;

  private final LayerShape.GroupedConvolution shape;
  private final Volume picture;
  private final SparseOutputGradient nonzero;
  private final SparseFilterGradient filterGradient;
  private final @Nullable SparseInputGradient inputGradient;
  private float[] pictures = {};
  private float[] back = {};

  private SparseBackward(
      int offset, LayerShape.GroupedConvolution shape, Volume picture, boolean needsInputGradient) {
    this.shape = shape;
    this.picture = picture;
    nonzero = new SparseOutputGradient(shape, picture);
    filterGradient = new SparseFilterGradient(shape, picture);
    inputGradient =
        needsInputGradient && SparseInputGradient.supports(shape)
            ? new SparseInputGradient(offset, shape, picture)
            : null;
  }

  /** For a convolution with padded inputs; null for one in groups, whose filters are small. */
  static @Nullable SparseBackward of(
      int offset, LayerShape.GroupedConvolution shape, Volume picture, boolean needsInputGradient) {
    return shape.groups() > 1
        ? null
        : new SparseBackward(offset, shape, picture, needsInputGradient);
  }

  /** Whether leaving out zeros pays; if so, the values of the gradient are listed. */
  boolean load(float[] outputGradient, int blocks) {
    double share =
        SparseOutputGradient.nonzeroShare(
            outputGradient, blocks * shape.filters(), shape.output().area() * BLOCK_SIZE);
    double allProducts = (double) shape.fanIn() / VECTOR_WIDTH;
    if (share * RELATIVE_COST * filterGradient.timePerValue() > allProducts) {
      return false;
    }
    nonzero.load(outputGradient, blocks);
    return true;
  }

  /** Writes the gradient of the filters, given the padded inputs. */
  void filterGradient(float[] paddedInput, int blocks, float[] gradient, int at) {
    int size = picture.size();
    // The last register of a filter's row may reach beyond the last picture.
    pictures = Lanes.ensureCapacity(pictures, blocks * BLOCK_SIZE * size + VECTOR_WIDTH);
    int area = picture.area();
    int channels = picture.channels();
    for (int block = 0; block < blocks; block++) {
      int first = block * BLOCK_SIZE;
      for (int pixel = 0; pixel < area; pixel++) {
        for (int lane = 0; lane < BLOCK_SIZE; lane++) {
          int to = (first + lane) * size + pixel * channels;
          int from = (block * size + pixel) * BLOCK_SIZE + lane;
          for (int channel = 0; channel < channels; channel++) {
            pictures[to + channel] = paddedInput[from + channel * area * BLOCK_SIZE];
          }
        }
      }
    }
    filterGradient.compute(nonzero, pictures, blocks, gradient, at);
  }

  /** The gradient along the inputs, or null where this pass does not support it. */
  float @Nullable [] inputGradient(float[] weights, int blocks) {
    if (inputGradient == null) {
      return null;
    }
    back = Lanes.ensureCapacity(back, blocks * shape.input().size() * BLOCK_SIZE);
    inputGradient.compute(nonzero, weights, blocks, back);
    return back;
  }
}
