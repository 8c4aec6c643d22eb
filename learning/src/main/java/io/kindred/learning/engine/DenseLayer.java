package io.kindred.learning.engine;

import static io.kindred.learning.engine.Lanes.COUNT;
import static io.kindred.learning.engine.Lanes.WIDTH;

import io.kindred.core.random.RandomStream;
import java.util.Arrays;

/** Fully connected, with the bits of {@link DenseReference}. */
final class DenseLayer implements Layer {
  /** Inputs whose weights are gathered at once for the slope along inputs: full cache lines. */
  private static final int PANEL = 48;

  private static final float[] ZEROS = new float[PANEL];

  private final int offset;
  private final int inputs;
  private final int outputs;
  private final boolean passesBack;
  private final RowsView view;
  private final float[] zeros;
  private final float[] panel;
  private float[] out = {};
  private float[] back = {};
  private float[] slopeRows = {};
  private float[] inputRows = {};
  private int capacity;
  private Product scores;
  private Product inputSlope;
  private Product weightSlope;

  /** {@code passesBack} is whether a layer before this one has weights to train. */
  DenseLayer(int offset, int inputs, int outputs, boolean passesBack, RowsView view) {
    this.offset = offset;
    this.inputs = inputs;
    this.outputs = outputs;
    this.passesBack = passesBack;
    this.view = view;
    this.zeros = new float[outputs];
    this.panel = new float[passesBack ? outputs * PANEL : 0];
    scores = scores(0);
    inputSlope = inputSlope(0);
    weightSlope = weightSlope(0);
  }

  private Product scores(int blocks) {
    return new Product(
        inputs,
        1,
        multiples(inputs, COUNT),
        multiples(blocks, inputs * COUNT),
        COUNT,
        outputs * COUNT);
  }

  private Product inputSlope(int blocks) {
    return new Product(
        1,
        PANEL,
        multiples(outputs, COUNT),
        multiples(blocks, outputs * COUNT),
        COUNT,
        inputs * COUNT);
  }

  private Product weightSlope(int blocks) {
    return new Product(
        blocks * COUNT,
        1,
        multiples(blocks * COUNT, inputs),
        multiples(inputs / WIDTH, WIDTH),
        inputs,
        WIDTH);
  }

  private static int[] multiples(int count, int of) {
    int[] multiples = new int[count];
    Arrays.setAll(multiples, i -> i * of);
    return multiples;
  }

  private void reserve(int blocks) {
    if (blocks <= capacity) {
      return;
    }
    capacity = blocks;
    scores = scores(blocks);
    inputSlope = inputSlope(blocks);
    weightSlope = weightSlope(blocks);
    out = new float[blocks * outputs * COUNT];
    back = new float[passesBack ? blocks * inputs * COUNT : 0];
    slopeRows = new float[outputs * blocks * COUNT];
  }

  @Override
  public float[] evaluate(float[] weights, float[] x, int samples) {
    int blocks = Lanes.blocks(samples);
    reserve(blocks);
    int bias = offset + outputs * inputs;
    for (int part = 0; part < COUNT; part += WIDTH) {
      scores
          .startingAt(weights, bias)
          .run(weights, offset, x, part, out, part, outputs, blocks, inputs);
    }
    return out;
  }

  @Override
  public float[] train(float[] weights, float[] x, int samples, RandomStream noise) {
    inputRows = view.rows(x, samples);
    return evaluate(weights, x, samples);
  }

  @Override
  public float[] back(float[] weights, float[] slope, int samples, float[] gradient) {
    int blocks = Lanes.blocks(samples);
    spread(slope, blocks);
    weightGradient(samples, gradient);
    if (passesBack) {
      for (int i = 0; i < inputs; i += PANEL) {
        inputGradient(weights, slope, blocks, i, Math.min(PANEL, inputs - i));
      }
    }
    return back;
  }

  /** From blocks to one row of samples for each output. */
  private void spread(float[] slope, int blocks) {
    int width = capacity * COUNT;
    for (int block = 0; block < blocks; block++) {
      for (int o = 0; o < outputs; o++) {
        int from = (block * outputs + o) * COUNT;
        int to = o * width + block * COUNT;
        for (int lane = 0; lane < COUNT; lane++) {
          slopeRows[to + lane] = slope[from + lane];
        }
      }
    }
  }

  private void weightGradient(int samples, float[] gradient) {
    int width = capacity * COUNT;
    for (int o = 0; o < outputs; o++) {
      float bias = 0;
      for (int s = 0; s < samples; s++) {
        bias += slopeRows[o * width + s];
      }
      gradient[offset + outputs * inputs + o] = bias;
    }
    int columns = inputs / WIDTH;
    weightSlope
        .startingAt(zeros, 0)
        .run(slopeRows, 0, inputRows, 0, gradient, offset, outputs, columns, samples);
    int left = inputs - columns * WIDTH;
    if (left > 0 && columns > 0) {
      // One more register that overlaps the last: what both write is the same.
      int at = inputs - WIDTH;
      weightSlope.run(slopeRows, 0, inputRows, at, gradient, offset + at, outputs, 1, samples);
    } else if (left > 0) {
      narrowWeightGradient(samples, gradient);
    }
  }

  /** With fewer inputs than a register holds. */
  private void narrowWeightGradient(int samples, float[] gradient) {
    int width = capacity * COUNT;
    for (int o = 0; o < outputs; o++) {
      int row = o * width;
      for (int i = 0; i < inputs; i++) {
        int column = i;
        gradient[offset + o * inputs + i] =
            ProductReference.sum(
                0, samples, s -> slopeRows[row + s], s -> inputRows[s * inputs + column]);
      }
    }
  }

  private void inputGradient(float[] weights, float[] slope, int blocks, int input, int rows) {
    for (int o = 0; o < outputs; o++) {
      System.arraycopy(weights, offset + o * inputs + input, panel, o * PANEL, rows);
    }
    for (int part = 0; part < COUNT; part += WIDTH) {
      int to = input * COUNT + part;
      inputSlope.startingAt(ZEROS, 0).run(panel, 0, slope, part, back, to, rows, blocks, outputs);
    }
  }
}
