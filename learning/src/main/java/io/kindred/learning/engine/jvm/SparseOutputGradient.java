package io.kindred.learning.engine.jvm;

import static io.kindred.learning.engine.jvm.Lanes.BLOCK_SIZE;
import static io.kindred.learning.engine.jvm.Lanes.SPECIES;
import static io.kindred.learning.engine.jvm.Lanes.VECTOR_WIDTH;

import io.kindred.learning.model.LayerShape;
import io.kindred.learning.model.Volume;
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
  private final int[] placeOfPosition;
  private float[] values = {};
  private int[] places = {};
  private int[] counts = {};

  /** {@code picture} is the padded input, whose channels lie side by side. */
  SparseOutputGradient(LayerShape.GroupedConvolution shape, Volume picture) {
    filters = shape.filters();
    area = shape.output().area();
    placeOfPosition = new int[area];
    int width = shape.output().width();
    for (int position = 0; position < area; position++) {
      int row = position / width * shape.stride().height();
      int column = position % width * shape.stride().width();
      placeOfPosition[position] = (row * picture.width() + column) * picture.channels();
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
    places = places.length >= lists * area ? places : new int[lists * area];
    counts = counts.length >= lists ? counts : new int[lists];
    for (int plane = 0; plane < blocks * filters; plane++) {
      for (int part = 0; part < BLOCK_SIZE; part += VECTOR_WIDTH) {
        int firstList = list(plane / filters * BLOCK_SIZE + part, plane % filters);
        listPlane(outputGradient, plane * area * BLOCK_SIZE + part, firstList);
      }
    }
  }

  /** Lists the values of one filter for the samples in a register. */
  private void listPlane(float[] outputGradient, int from, int firstList) {
    for (int lane = 0; lane < VECTOR_WIDTH; lane++) {
      counts[firstList + lane * filters] = 0;
    }
    for (int position = 0; position < area; position++) {
      int at = from + position * BLOCK_SIZE;
      long nonzero =
          FloatVector.fromArray(SPECIES, outputGradient, at)
              .compare(VectorOperators.NE, 0)
              .toLong();
      for (; nonzero != 0; nonzero &= nonzero - 1) {
        int lane = Long.numberOfTrailingZeros(nonzero);
        int list = firstList + lane * filters;
        int to = list * area + counts[list]++;
        values[to] = outputGradient[at + lane];
        places[to] = placeOfPosition[position];
      }
    }
  }

  private int list(int sample, int filter) {
    return sample * filters + filter;
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

  /** Where in a sample's picture the first tap of the filter lies, for each value. */
  int[] places() {
    return places;
  }

  /** The place of a position, which grows with the position; beyond all places after the last. */
  int placeOf(int position) {
    return position < area ? placeOfPosition[position] : Integer.MAX_VALUE;
  }

  int area() {
    return area;
  }
}
