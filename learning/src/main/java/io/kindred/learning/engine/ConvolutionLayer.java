package io.kindred.learning.engine;

import static io.kindred.learning.engine.Lanes.COUNT;
import static io.kindred.learning.engine.Lanes.PARTS;
import static io.kindred.learning.engine.Lanes.SPECIES;
import static io.kindred.learning.engine.Lanes.WIDTH;

import io.kindred.core.weights.Flat;
import io.kindred.learning.model.LayerShape;
import io.kindred.learning.model.Volume;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/**
 * Square filters, with the bits of {@link ConvolutionReference}. Samples lie side by side, so
 * pictures need no unfolding: a tap is a place relative to a position. The slope along the inputs
 * is itself a convolution, of the slope along the outputs (spread out by the stride) with the
 * filters turned around.
 */
final class ConvolutionLayer implements Layer {
  private final LayerShape.Convolution shape;
  private final int offset;
  private final boolean passesBack;
  private final int fanIn;
  private final int area;
  private final float[] zeros;
  private final float[] lanes = new float[COUNT];
  private final Border border;
  private final Product scores;
  private final Correlation filterSlope;
  private final Product inputSlope;
  private final float[] turned;
  private final float[] spread;
  private float[] picture = {};
  private float[] out = {};
  private float[] back = {};

  /** {@code passesBack} is whether a layer before this one has weights to train. */
  ConvolutionLayer(int offset, LayerShape.Convolution shape, boolean passesBack) {
    this.shape = shape;
    this.offset = offset;
    this.passesBack = passesBack;
    Volume input = shape.input();
    fanIn = shape.fanIn();
    area = shape.output().area();
    zeros = new float[Math.max(shape.filters(), input.channels())];
    border = new Border(input, shape.padding());
    Volume framed = border.framed();
    int[] places = taps(input.channels(), framed);
    scores =
        new Product(
            fanIn,
            1,
            places,
            positions(shape.output(), framed, shape.stride(), PARTS),
            area * COUNT,
            WIDTH);
    filterSlope =
        new Correlation(
            shape.filters(),
            places,
            positions(shape.output(), framed, shape.stride(), 1),
            framed.size() * COUNT);
    int more = shape.kernel() - 1;
    Volume wide = new Volume(shape.filters(), input.height() + more, input.width() + more);
    int turnedFanIn = shape.filters() * shape.kernel() * shape.kernel();
    inputSlope =
        new Product(
            turnedFanIn,
            1,
            taps(shape.filters(), wide),
            positions(input, wide, 1, PARTS),
            input.area() * COUNT,
            WIDTH);
    turned = new float[passesBack ? turnedFanIn * input.channels() : 0];
    spread = new float[passesBack ? wide.size() * COUNT : 0];
  }

  /** Where the taps of a filter lie in a block, seen from its first. */
  private int[] taps(int channels, Volume in) {
    int kernel = shape.kernel();
    int[] places = new int[channels * kernel * kernel];
    Arrays.setAll(
        places,
        k -> {
          int channel = k / (kernel * kernel);
          int row = k / kernel % kernel;
          return (channel * in.area() + row * in.width() + k % kernel) * COUNT;
        });
    return places;
  }

  /** Where the first tap lies in a block for each position, and for each of its registers. */
  private static int[] positions(Volume of, Volume in, int stride, int parts) {
    int[] places = new int[of.area() * parts];
    Arrays.setAll(
        places,
        column -> {
          int row = column / parts / of.width() * stride;
          int x = column / parts % of.width() * stride;
          return (row * in.width() + x) * COUNT + column % parts * WIDTH;
        });
    return places;
  }

  @Override
  public float[] evaluate(float[] weights, float[] x, int samples) {
    int blocks = Lanes.blocks(samples);
    int filters = shape.filters();
    picture = border.around(x, blocks);
    out = Lanes.atLeast(out, blocks * filters * area * COUNT);
    int pictureBlock = border.framed().size() * COUNT;
    boolean biased = shape.bias();
    scores.startingAt(biased ? weights : zeros, biased ? offset + filters * fanIn : 0);
    for (int block = 0; block < blocks; block++) {
      int to = block * filters * area * COUNT;
      scores.run(
          weights, offset, picture, block * pictureBlock, out, to, filters, area * PARTS, fanIn);
    }
    return out;
  }

  @Override
  public float[] back(float[] weights, float[] slope, int samples, float[] gradient) {
    int blocks = Lanes.blocks(samples);
    filterSlope.run(slope, picture, blocks, gradient, offset);
    if (shape.bias()) {
      biasGradient(slope, blocks, gradient);
    }
    if (passesBack) {
      inputGradient(weights, slope, blocks);
    }
    return back;
  }

  private void biasGradient(float[] slope, int blocks, float[] gradient) {
    for (int f = 0; f < shape.filters(); f++) {
      for (int part = 0; part < COUNT; part += WIDTH) {
        FloatVector sum = FloatVector.zero(SPECIES);
        for (int block = 0; block < blocks; block++) {
          int at = (block * shape.filters() + f) * area * COUNT + part;
          for (int p = 0; p < area; p++) {
            sum = sum.add(FloatVector.fromArray(SPECIES, slope, at + p * COUNT));
          }
        }
        sum.intoArray(lanes, part);
      }
      gradient[offset + shape.filters() * fanIn + f] = Flat.sumLanes(lanes, 0);
    }
  }

  private void inputGradient(float[] weights, float[] slope, int blocks) {
    Volume input = shape.input();
    int channels = input.channels();
    turn(weights);
    back = Lanes.atLeast(back, blocks * input.size() * COUNT);
    inputSlope.startingAt(zeros, 0);
    for (int block = 0; block < blocks; block++) {
      spread(slope, block);
      int to = block * input.size() * COUNT;
      int steps = shape.filters() * shape.kernel() * shape.kernel();
      inputSlope.run(turned, 0, spread, 0, back, to, channels, input.area() * PARTS, steps);
    }
  }

  /** From filters of channels of taps to channels of filters of taps, last tap first. */
  private void turn(float[] weights) {
    int taps = shape.kernel() * shape.kernel();
    int channels = shape.input().channels();
    for (int f = 0; f < shape.filters(); f++) {
      for (int c = 0; c < channels; c++) {
        int from = offset + (f * channels + c) * taps;
        int to = (c * shape.filters() + f) * taps;
        for (int tap = 0; tap < taps; tap++) {
          turned[to + tap] = weights[from + taps - 1 - tap];
        }
      }
    }
  }

  /** Puts the slopes of one block where a turned filter finds them; all else stays zero. */
  private void spread(float[] slope, int block) {
    Volume output = shape.output();
    int more = shape.kernel() - 1;
    int height = shape.input().height() + more;
    int width = shape.input().width() + more;
    int frame = more - shape.padding();
    for (int f = 0; f < shape.filters(); f++) {
      for (int y = 0; y < output.height(); y++) {
        int row = frame + y * shape.stride();
        int from = ((block * shape.filters() + f) * area + y * output.width()) * COUNT;
        for (int x = 0; row >= 0 && row < height && x < output.width(); x++) {
          int column = frame + x * shape.stride();
          if (column >= 0 && column < width) {
            int to = ((f * height + row) * width + column) * COUNT;
            System.arraycopy(slope, from + x * COUNT, spread, to, COUNT);
          }
        }
      }
    }
  }
}
