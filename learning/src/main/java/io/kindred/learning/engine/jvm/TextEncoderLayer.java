package io.kindred.learning.engine.jvm;

import static io.kindred.learning.engine.jvm.Lanes.BLOCK_SIZE;

import io.kindred.core.random.RandomStream;
import io.kindred.core.weights.VectorKernels;
import io.kindred.learning.model.LayerShape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An ALBERT encoder: token numbers to the pooled state of the first token. The tokens of a block of
 * samples are blocks of their own, so that dense layers see them as more samples. One step is
 * applied again and again; training keeps a copy of it for each time.
 */
final class TextEncoderLayer implements JvmLayer {
  private static final float[] NONE = {};

  private final LayerShape.Encoder shape;
  private final int words;
  private final int positions;
  private final int types;
  private final LayerNormLayer embeddingNorm;
  private final SharedDenseLayer embeddingProjection;
  private final List<EncoderStep> steps = new ArrayList<>();
  private final SharedDenseLayer pooler;
  private final int end;
  private float[] ids = {};
  private float[] embedded = {};
  private float[] first = {};
  private float[] pooled = {};
  private float[] pooledGradient = {};
  private float[] stateGradient = {};

  TextEncoderLayer(int offset, LayerShape.Encoder shape) {
    this.shape = shape;
    int embedding = shape.embedding();
    words = offset;
    positions = words + shape.vocabulary() * embedding;
    types = positions + shape.positions() * embedding;
    int norm = types + 2 * embedding;
    end = offset + size(shape);
    float[] scratch = new float[end];
    embeddingNorm = new LayerNormLayer(norm, embedding);
    int projection = norm + 2 * embedding;
    embeddingProjection = new SharedDenseLayer(projection, embedding, shape.hidden(), scratch);
    int step = projection + SharedDenseLayer.size(embedding, shape.hidden());
    for (int i = 0; i < shape.depth(); i++) {
      steps.add(new EncoderStep(step, shape, scratch));
    }
    int pooling = step + EncoderStep.size(shape);
    pooler = new SharedDenseLayer(pooling, shape.hidden(), shape.hidden(), scratch);
  }

  /** The number of weights. */
  static int size(LayerShape.Encoder shape) {
    int embedding = shape.embedding();
    int hidden = shape.hidden();
    return (shape.vocabulary() + shape.positions() + 4) * embedding
        + SharedDenseLayer.size(embedding, hidden)
        + EncoderStep.size(shape)
        + SharedDenseLayer.size(hidden, hidden);
  }

  private float[] embed(float[] weights, float[] x, int blocks) {
    ids = x;
    int embedding = shape.embedding();
    embedded = Lanes.ensureCapacity(embedded, blocks * shape.tokens() * embedding * BLOCK_SIZE);
    for (int token = 0; token < blocks * shape.tokens(); token++) {
      int position = positions + token % shape.tokens() * embedding;
      for (int lane = 0; lane < BLOCK_SIZE; lane++) {
        int word = words + id(token, lane) * embedding;
        for (int i = 0; i < embedding; i++) {
          embedded[(token * embedding + i) * BLOCK_SIZE + lane] =
              weights[word + i] + weights[types + i] + weights[position + i];
        }
      }
    }
    return embeddingNorm.forward(weights, embedded, blocks * shape.tokens());
  }

  private int id(int token, int lane) {
    int id = (int) ids[token * BLOCK_SIZE + lane];
    if (id < 0 || id >= shape.vocabulary()) {
      throw new IllegalArgumentException(
          "token " + id + " in a vocabulary of " + shape.vocabulary() + " tokens");
    }
    return id;
  }

  @Override
  public float[] forwardInference(float[] weights, float[] x, int samples) {
    int blocks = Lanes.blocks(samples);
    int tokenSamples = blocks * shape.tokens() * BLOCK_SIZE;
    float[] state =
        embeddingProjection.forwardInference(weights, embed(weights, x, blocks), tokenSamples);
    for (int i = 0; i < shape.depth(); i++) {
      state = steps.getFirst().forwardInference(weights, state, ids, blocks);
    }
    takeFirst(state, blocks);
    return tanh(pooler.forwardInference(weights, first, blocks * BLOCK_SIZE), blocks);
  }

  @Override
  public float[] forwardTraining(float[] weights, float[] x, int samples, RandomStream noise) {
    int blocks = Lanes.blocks(samples);
    int tokenSamples = blocks * shape.tokens() * BLOCK_SIZE;
    float[] state =
        embeddingProjection.forwardTraining(
            weights, embed(weights, x, blocks), tokenSamples, noise);
    for (EncoderStep step : steps) {
      state = step.forwardTraining(weights, state, ids, blocks, noise);
    }
    takeFirst(state, blocks);
    return tanh(pooler.forwardTraining(weights, first, blocks * BLOCK_SIZE, noise), blocks);
  }

  /** Takes the states of the first tokens. */
  private void takeFirst(float[] state, int blocks) {
    int size = shape.hidden() * BLOCK_SIZE;
    first = Lanes.ensureCapacity(first, blocks * size);
    for (int block = 0; block < blocks; block++) {
      System.arraycopy(state, block * shape.tokens() * size, first, block * size, size);
    }
  }

  private float[] tanh(float[] values, int blocks) {
    int size = blocks * shape.hidden() * BLOCK_SIZE;
    pooled = Lanes.ensureCapacity(pooled, size);
    for (int i = 0; i < size; i++) {
      pooled[i] = (float) Math.tanh(values[i]);
    }
    return pooled;
  }

  @Override
  public float[] backward(float[] weights, float[] outputGradient, int samples, float[] gradient) {
    int blocks = Lanes.blocks(samples);
    int size = shape.hidden() * BLOCK_SIZE;
    Arrays.fill(gradient, words, end, 0);
    pooledGradient = Lanes.ensureCapacity(pooledGradient, blocks * size);
    for (int i = 0; i < blocks * size; i++) {
      pooledGradient[i] = outputGradient[i] * (1 - pooled[i] * pooled[i]);
    }
    float[] firstGradient = pooler.backward(weights, pooledGradient, blocks * BLOCK_SIZE, gradient);
    int stateSize = blocks * shape.tokens() * size;
    stateGradient = Lanes.ensureCapacity(stateGradient, stateSize);
    Arrays.fill(stateGradient, 0, stateSize, 0);
    for (int block = 0; block < blocks; block++) {
      System.arraycopy(
          firstGradient, block * size, stateGradient, block * shape.tokens() * size, size);
    }
    float[] back = stateGradient;
    for (EncoderStep step : steps.reversed()) {
      back = step.backward(weights, back, blocks, gradient);
    }
    int tokenBlocks = blocks * shape.tokens();
    back = embeddingProjection.backward(weights, back, tokenBlocks * BLOCK_SIZE, gradient);
    embeddingGradient(
        embeddingNorm.backward(weights, back, tokenBlocks, gradient), tokenBlocks, gradient);
    return NONE;
  }

  private void embeddingGradient(float[] back, int tokenBlocks, float[] gradient) {
    int embedding = shape.embedding();
    for (int token = 0; token < tokenBlocks; token++) {
      int position = positions + token % shape.tokens() * embedding;
      for (int i = 0; i < embedding; i++) {
        int from = (token * embedding + i) * BLOCK_SIZE;
        float sum = VectorKernels.sumLanes(back, from);
        gradient[position + i] += sum;
        gradient[types + i] += sum;
        for (int lane = 0; lane < BLOCK_SIZE; lane++) {
          gradient[words + id(token, lane) * embedding + i] += back[from + lane];
        }
      }
    }
  }
}
