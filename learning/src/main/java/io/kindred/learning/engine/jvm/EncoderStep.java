package io.kindred.learning.engine.jvm;

import static io.kindred.learning.engine.jvm.Lanes.BLOCK_SIZE;

import io.kindred.core.random.RandomStream;
import io.kindred.learning.model.LayerShape;

/**
 * One application of the shared layer of a text encoder: attention, two dense layers with GELU
 * between them, each with a residual and a normalization. Every token is a block of its own.
 */
final class EncoderStep {
  private static final double GELU_FACTOR = Math.sqrt(2 / Math.PI);
  private static final double GELU_CUBE = 0.044715;

  private final LayerShape.Encoder shape;
  private final SharedDenseLayer query;
  private final SharedDenseLayer key;
  private final SharedDenseLayer value;
  private final AttentionLayer attention;
  private final SharedDenseLayer attentionOutput;
  private final LayerNormLayer attentionNorm;
  private final SharedDenseLayer feedForwardIn;
  private final SharedDenseLayer feedForwardOut;
  private final LayerNormLayer outputNorm;
  private float[] attentionSum = {};
  private float[] expanded = {};
  private float[] active = {};
  private float[] outputSum = {};
  private float[] back = {};

  /** The offset is that of the output normalization, which comes first in the layout. */
  EncoderStep(int offset, LayerShape.Encoder shape, float[] scratch) {
    this.shape = shape;
    int hidden = shape.hidden();
    int intermediate = shape.intermediate();
    int square = SharedDenseLayer.size(hidden, hidden);
    outputNorm = new LayerNormLayer(offset, hidden);
    int at = offset + 2 * hidden;
    query = new SharedDenseLayer(at, hidden, hidden, scratch);
    key = new SharedDenseLayer(at + square, hidden, hidden, scratch);
    value = new SharedDenseLayer(at + 2 * square, hidden, hidden, scratch);
    attentionOutput = new SharedDenseLayer(at + 3 * square, hidden, hidden, scratch);
    attentionNorm = new LayerNormLayer(at + 4 * square, hidden);
    at += 4 * square + 2 * hidden;
    feedForwardIn = new SharedDenseLayer(at, hidden, intermediate, scratch);
    at += SharedDenseLayer.size(hidden, intermediate);
    feedForwardOut = new SharedDenseLayer(at, intermediate, hidden, scratch);
    attention = new AttentionLayer(shape);
  }

  /** The number of weights. */
  static int size(LayerShape.Encoder shape) {
    int hidden = shape.hidden();
    return 4 * hidden
        + 4 * SharedDenseLayer.size(hidden, hidden)
        + SharedDenseLayer.size(hidden, shape.intermediate())
        + SharedDenseLayer.size(shape.intermediate(), hidden);
  }

  /** The next state of all tokens; the given state may be this method's last result. */
  float[] forwardInference(float[] weights, float[] state, float[] ids, int blocks) {
    int tokenBlocks = blocks * shape.tokens();
    int samples = tokenBlocks * BLOCK_SIZE;
    float[] mixed =
        attention.forward(
            query.forwardInference(weights, state, samples),
            key.forwardInference(weights, state, samples),
            value.forwardInference(weights, state, samples),
            ids,
            blocks);
    float[] projected = attentionOutput.forwardInference(weights, mixed, samples);
    float[] attended = attended(weights, state, projected, tokenBlocks);
    gelu(feedForwardIn.forwardInference(weights, attended, samples), samples);
    float[] contracted = feedForwardOut.forwardInference(weights, active, samples);
    outputSum = sum(contracted, attended, samples * shape.hidden(), outputSum);
    return outputNorm.forward(weights, outputSum, tokenBlocks);
  }

  /** As {@link #forwardInference}, and keeps what the backward pass needs. */
  float[] forwardTraining(
      float[] weights, float[] state, float[] ids, int blocks, RandomStream noise) {
    int tokenBlocks = blocks * shape.tokens();
    int samples = tokenBlocks * BLOCK_SIZE;
    float[] mixed =
        attention.forward(
            query.forwardTraining(weights, state, samples, noise),
            key.forwardTraining(weights, state, samples, noise),
            value.forwardTraining(weights, state, samples, noise),
            ids,
            blocks);
    float[] projected = attentionOutput.forwardTraining(weights, mixed, samples, noise);
    float[] attended = attended(weights, state, projected, tokenBlocks);
    gelu(feedForwardIn.forwardTraining(weights, attended, samples, noise), samples);
    float[] contracted = feedForwardOut.forwardTraining(weights, active, samples, noise);
    outputSum = sum(contracted, attended, samples * shape.hidden(), outputSum);
    return outputNorm.forward(weights, outputSum, tokenBlocks);
  }

  private float[] attended(float[] weights, float[] state, float[] mixed, int tokenBlocks) {
    int size = tokenBlocks * shape.hidden() * BLOCK_SIZE;
    attentionSum = sum(state, mixed, size, attentionSum);
    return attentionNorm.forward(weights, attentionSum, tokenBlocks);
  }

  private static float[] sum(float[] x, float[] y, int size, float[] scratch) {
    float[] sum = Lanes.copy(x, size, scratch);
    Lanes.add(y, size, sum);
    return sum;
  }

  private void gelu(float[] values, int samples) {
    int size = samples * shape.intermediate();
    expanded = values;
    active = Lanes.ensureCapacity(active, size);
    for (int i = 0; i < size; i++) {
      double x = values[i];
      active[i] = (float) (x / 2 * (1 + Math.tanh(GELU_FACTOR * (x + GELU_CUBE * x * x * x))));
    }
  }

  /** Multiplies with the derivative of GELU, in place. */
  private void geluBackward(float[] outputGradient, int size) {
    for (int i = 0; i < size; i++) {
      double x = expanded[i];
      double tanh = Math.tanh(GELU_FACTOR * (x + GELU_CUBE * x * x * x));
      double slope = GELU_FACTOR * (1 + 3 * GELU_CUBE * x * x);
      outputGradient[i] *= (float) ((1 + tanh) / 2 + x / 2 * (1 - tanh * tanh) * slope);
    }
  }

  /** The gradient along the state before; adds that of the weights. */
  float[] backward(float[] weights, float[] outputGradient, int blocks, float[] gradient) {
    int tokenBlocks = blocks * shape.tokens();
    int samples = tokenBlocks * BLOCK_SIZE;
    int size = samples * shape.hidden();
    float[] sumGradient = outputNorm.backward(weights, outputGradient, tokenBlocks, gradient);
    float[] activeGradient = feedForwardOut.backward(weights, sumGradient, samples, gradient);
    geluBackward(activeGradient, samples * shape.intermediate());
    float[] attended = feedForwardIn.backward(weights, activeGradient, samples, gradient);
    Lanes.add(sumGradient, size, attended);
    float[] residual = attentionNorm.backward(weights, attended, tokenBlocks, gradient);
    attention.backward(attentionOutput.backward(weights, residual, samples, gradient), blocks);
    back = Lanes.copy(residual, size, back);
    Lanes.add(query.backward(weights, attention.queryGradient(), samples, gradient), size, back);
    Lanes.add(key.backward(weights, attention.keyGradient(), samples, gradient), size, back);
    Lanes.add(value.backward(weights, attention.valueGradient(), samples, gradient), size, back);
    return back;
  }
}
