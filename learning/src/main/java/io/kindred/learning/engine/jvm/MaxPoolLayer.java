package io.kindred.learning.engine.jvm;

import static io.kindred.learning.engine.jvm.Lanes.BLOCK_SIZE;
import static io.kindred.learning.engine.jvm.Lanes.SPECIES;
import static io.kindred.learning.engine.jvm.Lanes.VECTOR_WIDTH;

import io.kindred.learning.model.LayerShape;
import io.kindred.learning.model.Volume;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * The largest value of each window; of equal values the first, row by row, gets the gradient. NaN
 * wins over every number, so that pooling does not hide that a model diverged.
 */
final class MaxPoolLayer implements JvmLayer {
  private final LayerShape.MaxPool shape;
  private final Volume input;
  private final Volume output;
  // Whether every input belongs to just one window, so that gradients need not be added up.
  private final boolean tiled;
  private float[] out = {};
  // The tap of its window that each value came from; floats, so that the same vector operations
  // apply.
  private float[] maxTaps = {};
  private float[] back = {};

  MaxPoolLayer(LayerShape.MaxPool shape) {
    this.shape = shape;
    this.input = shape.input();
    this.output = shape.output();
    this.tiled =
        shape.padding() == 0
            && shape.stride() == shape.window()
            && output.height() * shape.window() == input.height()
            && output.width() * shape.window() == input.width();
  }

  @Override
  public float[] forwardInference(float[] weights, float[] x, int samples) {
    int planes = Lanes.blocks(samples) * input.channels();
    out = Lanes.ensureCapacity(out, planes * output.area() * BLOCK_SIZE);
    maxTaps = Lanes.ensureCapacity(maxTaps, out.length);
    for (int plane = 0; plane < planes; plane++) {
      for (int p = 0; p < output.area(); p++) {
        int to = (plane * output.area() + p) * BLOCK_SIZE;
        for (int part = 0; part < BLOCK_SIZE; part += VECTOR_WIDTH) {
          poolWindow(x, plane * input.area() * BLOCK_SIZE + part, p, to + part);
        }
      }
    }
    return out;
  }

  /** The first row or column of a window that lies inside the volume. */
  private int first(int position) {
    return Math.max(0, position * shape.stride() - shape.padding());
  }

  private int end(int position, int extent) {
    return Math.min(extent, position * shape.stride() - shape.padding() + shape.window());
  }

  private void poolWindow(float[] x, int plane, int position, int to) {
    int row = position / output.width();
    int column = position % output.width();
    int firstColumn = first(column);
    int endColumn = end(column, input.width());
    int tap = 0;
    FloatVector best =
        FloatVector.fromArray(
            SPECIES, x, plane + (first(row) * input.width() + firstColumn) * BLOCK_SIZE);
    FloatVector from = FloatVector.zero(SPECIES);
    for (int y = first(row); y < end(row, input.height()); y++) {
      for (int i = firstColumn; i < endColumn; i++) {
        FloatVector value =
            FloatVector.fromArray(SPECIES, x, plane + (y * input.width() + i) * BLOCK_SIZE);
        VectorMask<Float> larger =
            value.compare(VectorOperators.GT, best).or(value.compare(VectorOperators.NE, value));
        best = best.blend(value, larger);
        from = from.blend(tap, larger);
        tap++;
      }
    }
    best.intoArray(out, to);
    from.intoArray(maxTaps, to);
  }

  @Override
  public float[] backward(float[] weights, float[] outputGradient, int samples, float[] gradient) {
    int planes = Lanes.blocks(samples) * input.channels();
    back = Lanes.ensureCapacity(back, planes * input.area() * BLOCK_SIZE);
    if (!tiled) {
      Arrays.fill(back, 0, planes * input.area() * BLOCK_SIZE, 0);
    }
    for (int plane = 0; plane < planes; plane++) {
      for (int p = 0; p < output.area(); p++) {
        int from = (plane * output.area() + p) * BLOCK_SIZE;
        for (int part = 0; part < BLOCK_SIZE; part += VECTOR_WIDTH) {
          scatter(outputGradient, from + part, p, plane * input.area() * BLOCK_SIZE + part);
        }
      }
    }
    return back;
  }

  private void scatter(float[] outputGradient, int from, int position, int plane) {
    int row = position / output.width();
    int column = position % output.width();
    int firstColumn = first(column);
    int endColumn = end(column, input.width());
    FloatVector zero = FloatVector.zero(SPECIES);
    FloatVector given = FloatVector.fromArray(SPECIES, outputGradient, from);
    FloatVector taken = FloatVector.fromArray(SPECIES, maxTaps, from);
    int tap = 0;
    for (int y = first(row); y < end(row, input.height()); y++) {
      for (int i = firstColumn; i < endColumn; i++) {
        int to = plane + (y * input.width() + i) * BLOCK_SIZE;
        FloatVector before = tiled ? zero : FloatVector.fromArray(SPECIES, back, to);
        before.add(given, taken.compare(VectorOperators.EQ, tap)).intoArray(back, to);
        tap++;
      }
    }
  }
}
