package io.kindred.learning.engine.jvm;

import static io.kindred.learning.engine.jvm.Lanes.BLOCK_SIZE;
import static io.kindred.learning.engine.jvm.Lanes.VECTOR_WIDTH;

import io.kindred.core.random.RandomStream;
import java.util.Arrays;

/** Fully connected, with the bits of the plain loops in the tests (DenseReference). */
final class DenseLayer implements JvmLayer {
  /** Inputs whose weights are copied together for the input gradient: full cache lines. */
  private static final int PANEL = 48;

  private static final float[] ZEROS = new float[PANEL];

  private final int offset;
  private final int inputs;
  private final int outputs;
  private final boolean needsInputGradient;
  private final RowMajorView rowMajorView;
  private final float[] zeros;
  private final float[] panel;
  private float[] out = {};
  private float[] back = {};
  private float[] outputGradientRows = {};
  private float[] inputRows = {};
  private int capacity;
  private Gemm forwardGemm;
  private Gemm inputGradientGemm;
  private Gemm weightGradientGemm;

  /** {@code needsInputGradient} is whether a layer before this one has weights to train. */
  DenseLayer(
      int offset, int inputs, int outputs, boolean needsInputGradient, RowMajorView rowMajorView) {
    this.offset = offset;
    this.inputs = inputs;
    this.outputs = outputs;
    this.needsInputGradient = needsInputGradient;
    this.rowMajorView = rowMajorView;
    this.zeros = new float[outputs];
    this.panel = new float[needsInputGradient ? outputs * PANEL : 0];
    forwardGemm = forwardGemm(0);
    inputGradientGemm = inputGradientGemm(0);
    weightGradientGemm = weightGradientGemm(0);
  }

  private Gemm forwardGemm(int blocks) {
    return new Gemm(
        inputs,
        1,
        multiples(inputs, BLOCK_SIZE),
        multiples(blocks, inputs * BLOCK_SIZE),
        BLOCK_SIZE,
        outputs * BLOCK_SIZE);
  }

  private Gemm inputGradientGemm(int blocks) {
    return new Gemm(
        1,
        PANEL,
        multiples(outputs, BLOCK_SIZE),
        multiples(blocks, outputs * BLOCK_SIZE),
        BLOCK_SIZE,
        inputs * BLOCK_SIZE);
  }

  private Gemm weightGradientGemm(int blocks) {
    return new Gemm(
        blocks * BLOCK_SIZE,
        1,
        multiples(blocks * BLOCK_SIZE, inputs),
        multiples(inputs / VECTOR_WIDTH, VECTOR_WIDTH),
        inputs,
        VECTOR_WIDTH);
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
    forwardGemm = forwardGemm(blocks);
    inputGradientGemm = inputGradientGemm(blocks);
    weightGradientGemm = weightGradientGemm(blocks);
    out = new float[blocks * outputs * BLOCK_SIZE];
    back = new float[needsInputGradient ? blocks * inputs * BLOCK_SIZE : 0];
    outputGradientRows = new float[outputs * blocks * BLOCK_SIZE];
  }

  @Override
  public float[] forwardInference(float[] weights, float[] x, int samples) {
    int blocks = Lanes.blocks(samples);
    reserve(blocks);
    int bias = offset + outputs * inputs;
    for (int part = 0; part < BLOCK_SIZE; part += VECTOR_WIDTH) {
      forwardGemm
          .withInitialValues(weights, bias)
          .multiply(weights, offset, x, part, out, part, outputs, blocks, inputs);
    }
    return out;
  }

  @Override
  public float[] forwardTraining(float[] weights, float[] x, int samples, RandomStream noise) {
    inputRows = rowMajorView.rows(x, samples);
    return forwardInference(weights, x, samples);
  }

  @Override
  public float[] backward(float[] weights, float[] outputGradient, int samples, float[] gradient) {
    int blocks = Lanes.blocks(samples);
    copyToOutputRows(outputGradient, blocks);
    weightGradient(samples, gradient);
    if (needsInputGradient) {
      for (int i = 0; i < inputs; i += PANEL) {
        inputGradient(weights, outputGradient, blocks, i, Math.min(PANEL, inputs - i));
      }
    }
    return back;
  }

  /** Copies gradients from blocks to one row of samples for each output. */
  private void copyToOutputRows(float[] outputGradient, int blocks) {
    int width = capacity * BLOCK_SIZE;
    for (int block = 0; block < blocks; block++) {
      for (int o = 0; o < outputs; o++) {
        int from = (block * outputs + o) * BLOCK_SIZE;
        int to = o * width + block * BLOCK_SIZE;
        for (int lane = 0; lane < BLOCK_SIZE; lane++) {
          outputGradientRows[to + lane] = outputGradient[from + lane];
        }
      }
    }
  }

  private void weightGradient(int samples, float[] gradient) {
    int width = capacity * BLOCK_SIZE;
    for (int o = 0; o < outputs; o++) {
      float bias = 0;
      for (int s = 0; s < samples; s++) {
        bias += outputGradientRows[o * width + s];
      }
      gradient[offset + outputs * inputs + o] = bias;
    }
    int columns = inputs / VECTOR_WIDTH;
    weightGradientGemm
        .withInitialValues(zeros, 0)
        .multiply(outputGradientRows, 0, inputRows, 0, gradient, offset, outputs, columns, samples);
    int left = inputs - columns * VECTOR_WIDTH;
    if (left > 0 && columns > 0) {
      // One more register that overlaps the last: both write the same values.
      int at = inputs - VECTOR_WIDTH;
      weightGradientGemm.multiply(
          outputGradientRows, 0, inputRows, at, gradient, offset + at, outputs, 1, samples);
    } else if (left > 0) {
      narrowWeightGradient(samples, gradient);
    }
  }

  /** The weight gradient for fewer inputs than a register holds. */
  private void narrowWeightGradient(int samples, float[] gradient) {
    int width = capacity * BLOCK_SIZE;
    for (int o = 0; o < outputs; o++) {
      int row = o * width;
      for (int i = 0; i < inputs; i++) {
        int column = i;
        gradient[offset + o * inputs + i] =
            GemmReference.sum(
                0, samples, s -> outputGradientRows[row + s], s -> inputRows[s * inputs + column]);
      }
    }
  }

  private void inputGradient(
      float[] weights, float[] outputGradient, int blocks, int input, int rows) {
    for (int o = 0; o < outputs; o++) {
      System.arraycopy(weights, offset + o * inputs + input, panel, o * PANEL, rows);
    }
    for (int part = 0; part < BLOCK_SIZE; part += VECTOR_WIDTH) {
      int to = input * BLOCK_SIZE + part;
      inputGradientGemm
          .withInitialValues(ZEROS, 0)
          .multiply(panel, 0, outputGradient, part, back, to, rows, blocks, outputs);
    }
  }
}
