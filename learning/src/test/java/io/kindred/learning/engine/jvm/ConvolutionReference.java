package io.kindred.learning.engine.jvm;

import io.kindred.core.weights.VectorKernels;
import io.kindred.learning.model.LayerShape.GroupedConvolution;
import io.kindred.learning.model.Volume;

/**
 * The plain loops that define what {@link ConvolutionLayer} computes, bit by bit. Pictures are rows
 * of samples, each channels of rows of columns; values outside a picture are zero.
 */
final class ConvolutionReference {
  private ConvolutionReference() {}

  private static float pixel(float[] x, int sample, Volume in, int channel, int row, int column) {
    boolean inside = row >= 0 && row < in.height() && column >= 0 && column < in.width();
    return inside ? x[sample * in.size() + channel * in.area() + row * in.width() + column] : 0;
  }

  /** The input under a tap of the filter at a position of the output. */
  private static float inputUnderTap(
      float[] x, int sample, GroupedConvolution shape, int filter, int position, int tap) {
    int kernel = shape.kernel().width();
    int width = shape.output().width();
    int row =
        position / width * shape.stride().height()
            + tap % shape.taps() / kernel
            - shape.padding().height();
    int column = position % width * shape.stride().width() + tap % kernel - shape.padding().width();
    int firstChannel = filter / shape.filtersPerGroup() * shape.depth();
    return pixel(x, sample, shape.input(), firstChannel + tap / shape.taps(), row, column);
  }

  /** The bias plus the sum over channels, then rows and columns of the filter. */
  static void forward(
      float[] x, float[] weights, int at, float[] out, int samples, GroupedConvolution shape) {
    int area = shape.output().area();
    int fanIn = shape.fanIn();
    for (int i = 0; i < samples * shape.output().size(); i++) {
      int sample = i / shape.output().size();
      int filter = i / area % shape.filters();
      int position = i % area;
      float bias = shape.bias() ? weights[at + shape.filters() * fanIn + filter] : 0;
      out[i] =
          GemmReference.sum(
              bias,
              fanIn,
              tap -> weights[at + filter * fanIn + tap],
              tap -> inputUnderTap(x, sample, shape, filter, position, tap));
    }
  }

  /** The gradient of the filters, then of the bias if the layer has one. */
  static void weightGradient(
      float[] x, float[] delta, float[] gradient, int at, int samples, GroupedConvolution shape) {
    int fanIn = shape.fanIn();
    for (int i = 0; i < shape.filters() * fanIn; i++) {
      gradient[at + i] = tapGradient(x, delta, samples, shape, i / fanIn, i % fanIn);
    }
    int area = shape.output().area();
    for (int f = 0; shape.bias() && f < shape.filters(); f++) {
      float[] lanes = new float[VectorKernels.LANES];
      for (int s = 0; s < samples; s++) {
        for (int p = 0; p < area; p++) {
          lanes[s % VectorKernels.LANES] += delta[(s * shape.filters() + f) * area + p];
        }
      }
      gradient[at + shape.filters() * fanIn + f] = VectorKernels.sumLanes(lanes, 0);
    }
  }

  /** Samples go to lanes; within a lane runs of positions are summed, each a chain from zero. */
  private static float tapGradient(
      float[] x, float[] delta, int samples, GroupedConvolution shape, int filter, int tap) {
    int area = shape.output().area();
    float[] lanes = new float[VectorKernels.LANES];
    for (int s = 0; s < samples; s++) {
      for (int first = 0; first < area; first += FilterGradient.RUN_LENGTH) {
        float run = 0;
        for (int p = first; p < Math.min(first + FilterGradient.RUN_LENGTH, area); p++) {
          float outputGradient = delta[(s * shape.filters() + filter) * area + p];
          run = Math.fma(outputGradient, inputUnderTap(x, s, shape, filter, p, tap), run);
        }
        lanes[s % VectorKernels.LANES] += run;
      }
    }
    return VectorKernels.sumLanes(lanes, 0);
  }

  /**
   * The sum over the filters of the channel's group, then over the taps from the last to the first.
   */
  static void inputGradient(
      float[] weights, int at, float[] delta, float[] back, int samples, GroupedConvolution shape) {
    Volume input = shape.input();
    int taps = shape.taps();
    for (int i = 0; i < samples * input.size(); i++) {
      int sample = i / input.size();
      int channel = i / input.area() % input.channels();
      int position = i % input.area();
      int firstFilter = channel / shape.depth() * shape.filtersPerGroup();
      back[i] =
          GemmReference.sum(
              0,
              shape.filtersPerGroup() * taps,
              k ->
                  weights[
                      at
                          + (firstFilter + k / taps) * shape.fanIn()
                          + channel % shape.depth() * taps
                          + taps
                          - 1
                          - k % taps],
              k ->
                  gradientOverTap(
                      delta, sample, shape, position, firstFilter + k / taps, taps - 1 - k % taps));
    }
  }

  /** The gradient of the output whose filter has this tap over a position of the input, or zero. */
  private static float gradientOverTap(
      float[] delta, int sample, GroupedConvolution shape, int position, int filter, int tap) {
    int width = shape.input().width();
    int row = position / width + shape.padding().height() - tap / shape.kernel().width();
    int column = position % width + shape.padding().width() - tap % shape.kernel().width();
    int rowStride = shape.stride().height();
    int columnStride = shape.stride().width();
    if (row % rowStride != 0 || column % columnStride != 0) {
      return 0;
    }
    return pixel(delta, sample, shape.output(), filter, row / rowStride, column / columnStride);
  }
}
