package io.kindred.learning.engine.jvm;

import static io.kindred.learning.engine.jvm.Lanes.BLOCK_SIZE;
import static io.kindred.learning.engine.jvm.Lanes.SPECIES;
import static io.kindred.learning.engine.jvm.Lanes.VECTOR_WIDTH;

import io.kindred.learning.model.LayerShape;
import io.kindred.learning.model.Volume;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/**
 * The gradient of a convolution along its outputs without its zeros: behind a pool of 2x2 windows
 * three of four values are zero, and a rectifier adds more. Each sample has other zeros, so the
 * values are listed by sample and filter, in the order of positions.
 */
final class SparseOutputGradient {
  /** Not a divisor of usual numbers of filters, so that all filters are looked at in turn. */
  private static final int PLANES_PER_SAMPLE = 7;

  private final int filters;
  private final int area;
  private final int[] pixelOfPosition;
  private float[] values = {};
  private int[] pixels = {};
  private int[] counts = {};

  /** {@code picture} is the padded input. */
  SparseOutputGradient(LayerShape.GroupedConvolution shape, Volume picture) {
    filters = shape.filters();
    area = shape.output().area();
    pixelOfPosition = new int[area];
    int width = shape.output().width();
    for (int position = 0; position < area; position++) {
      int row = position / width * shape.stride().height();
      int column = position % width * shape.stride().width();
      pixelOfPosition[position] = row * picture.width() + column;
    }
  }

  /** The share of values that are not zero, estimated from the planes of some filters. */
  static double nonzeroShare(float[] outputGradient, int planes, int planeSize) {
    int looked = 0;
    int count = 0;
    for (int plane = 0; plane < planes; plane += PLANES_PER_SAMPLE) {
      looked += planeSize;
      for (int i = plane * planeSize; i < (plane + 1) * planeSize; i += VECTOR_WIDTH) {
        count +=
            FloatVector.fromArray(SPECIES, outputGradient, i)
                .compare(VectorOperators.NE, 0)
                .trueCount();
      }
    }
    return (double) count / looked;
  }

  void load(float[] outputGradient, int blocks) {
    int lists = blocks * BLOCK_SIZE * filters;
    values = Lanes.ensureCapacity(values, lists * area);
    pixels = pixels.length >= lists * area ? pixels : new int[lists * area];
    counts = counts.length >= lists ? counts : new int[lists];
    for (int plane = 0; plane < blocks * filters; plane++) {
      for (int part = 0; part < BLOCK_SIZE; part += VECTOR_WIDTH) {
        int first = plane * BLOCK_SIZE + part;
        listPlane(outputGradient, plane * area * BLOCK_SIZE + part, first);
      }
    }
  }

  /** Lists the values of one filter for the samples in a register. */
  private void listPlane(float[] outputGradient, int from, int firstList) {
    Arrays.fill(counts, firstList, firstList + VECTOR_WIDTH, 0);
    for (int position = 0; position < area; position++) {
      int at = from + position * BLOCK_SIZE;
      int pixel = pixelOfPosition[position];
      long nonzero =
          FloatVector.fromArray(SPECIES, outputGradient, at)
              .compare(VectorOperators.NE, 0)
              .toLong();
      for (; nonzero != 0; nonzero &= nonzero - 1) {
        int lane = Long.numberOfTrailingZeros(nonzero);
        int list = firstList + lane;
        int to = list * area + counts[list]++;
        values[to] = outputGradient[at + lane];
        pixels[to] = pixel;
      }
    }
  }

  /** Lists of a filter for the samples of a block lie side by side, as they are made together. */
  private int list(int sample, int filter) {
    return (sample / BLOCK_SIZE * filters + filter) * BLOCK_SIZE + sample % BLOCK_SIZE;
  }

  /** Where the values of a sample and filter begin. */
  int start(int sample, int filter) {
    return list(sample, filter) * area;
  }

  int end(int sample, int filter) {
    int list = list(sample, filter);
    return list * area + counts[list];
  }

  /** The values that are not zero. */
  float[] values() {
    return values;
  }

  /** The pixel of the padded input under the first tap of the filter, for each value. */
  int[] pixels() {
    return pixels;
  }

  /** The pixel of a position, which grows with the position; beyond all pixels after the last. */
  int pixelOf(int position) {
    return position < area ? pixelOfPosition[position] : Integer.MAX_VALUE;
  }
}
