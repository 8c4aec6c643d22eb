package io.kindred.learning.engine.jvm;

import static io.kindred.learning.engine.jvm.Lanes.BLOCK_SIZE;
import static io.kindred.learning.engine.jvm.Lanes.SPECIES;
import static io.kindred.learning.engine.jvm.Lanes.VECTOR_WIDTH;

import io.kindred.learning.model.LayerShape;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/**
 * Attention between the tokens of each sample, in several heads, without weights of its own. No
 * token attends to padding, whose number is zero. Blocks hold the features of one token each, token
 * after token.
 */
final class AttentionLayer {
  /** A score that softmax maps to zero. */
  private static final float MASKED_SCORE = -1e30f;

  private final int tokens;
  private final int hidden;
  private final int heads;
  private final int width;
  private final float scale;
  private final float[] scoreGradients;
  private float[] query = {};
  private float[] key = {};
  private float[] value = {};
  private float[] shares = {};
  private float[] out = {};
  private float[] queryGradient = {};
  private float[] keyGradient = {};
  private float[] valueGradient = {};

  AttentionLayer(LayerShape.Encoder shape) {
    tokens = shape.tokens();
    hidden = shape.hidden();
    heads = shape.heads();
    width = hidden / heads;
    scale = (float) (1 / Math.sqrt(width));
    scoreGradients = new float[tokens * BLOCK_SIZE];
  }

  /** Where a token's features of a head begin. */
  private int at(int block, int token, int head) {
    return ((block * tokens + token) * hidden + head * width) * BLOCK_SIZE;
  }

  /** Where the shares begin with which a token attends to all tokens. */
  private int sharesAt(int block, int head, int token) {
    return ((block * heads + head) * tokens + token) * tokens * BLOCK_SIZE;
  }

  /** Values mixed by how well the keys match the queries; {@code ids} are the token numbers. */
  float[] forward(float[] query, float[] key, float[] value, float[] ids, int blocks) {
    this.query = query;
    this.key = key;
    this.value = value;
    shares = Lanes.ensureCapacity(shares, sharesAt(blocks, 0, 0));
    out = Lanes.ensureCapacity(out, at(blocks, 0, 0));
    for (int block = 0; block < blocks; block++) {
      for (int head = 0; head < heads; head++) {
        for (int token = 0; token < tokens; token++) {
          int sharesAt = sharesAt(block, head, token);
          score(block, head, token, ids, sharesAt);
          softmax(sharesAt);
          mix(block, head, token, sharesAt);
        }
      }
    }
    return out;
  }

  /** The sum over the features of a head, of all lanes from {@code part} on. */
  private FloatVector product(float[] x, int xAt, float[] y, int yAt) {
    FloatVector sum = FloatVector.zero(SPECIES);
    for (int i = 0; i < width * BLOCK_SIZE; i += BLOCK_SIZE) {
      sum =
          FloatVector.fromArray(SPECIES, x, xAt + i)
              .fma(FloatVector.fromArray(SPECIES, y, yAt + i), sum);
    }
    return sum;
  }

  private void score(int block, int head, int token, float[] ids, int sharesAt) {
    for (int other = 0; other < tokens; other++) {
      for (int part = 0; part < BLOCK_SIZE; part += VECTOR_WIDTH) {
        FloatVector score =
            product(query, at(block, token, head) + part, key, at(block, other, head) + part)
                .mul(scale);
        int idsAt = (block * tokens + other) * BLOCK_SIZE + part;
        score
            .add(
                MASKED_SCORE,
                FloatVector.fromArray(SPECIES, ids, idsAt).compare(VectorOperators.EQ, 0))
            .intoArray(shares, sharesAt + other * BLOCK_SIZE + part);
      }
    }
  }

  private void softmax(int sharesAt) {
    for (int lane = sharesAt; lane < sharesAt + BLOCK_SIZE; lane++) {
      float largest = Float.NEGATIVE_INFINITY;
      for (int other = 0; other < tokens; other++) {
        largest = Math.max(largest, shares[lane + other * BLOCK_SIZE]);
      }
      double sum = 0;
      for (int other = 0; other < tokens; other++) {
        double share = Math.exp((double) shares[lane + other * BLOCK_SIZE] - largest);
        shares[lane + other * BLOCK_SIZE] = (float) share;
        sum += share;
      }
      for (int other = 0; other < tokens; other++) {
        shares[lane + other * BLOCK_SIZE] = (float) (shares[lane + other * BLOCK_SIZE] / sum);
      }
    }
  }

  private void mix(int block, int head, int token, int sharesAt) {
    int to = at(block, token, head);
    Arrays.fill(out, to, to + width * BLOCK_SIZE, 0);
    for (int other = 0; other < tokens; other++) {
      addScaled(shares, sharesAt + other * BLOCK_SIZE, value, at(block, other, head), out, to);
    }
  }

  /** Adds the features of a head, times one factor for each lane. */
  private void addScaled(
      float[] factors, int factorsAt, float[] features, int from, float[] sum, int to) {
    for (int part = 0; part < BLOCK_SIZE; part += VECTOR_WIDTH) {
      FloatVector factor = FloatVector.fromArray(SPECIES, factors, factorsAt + part);
      for (int i = part; i < width * BLOCK_SIZE; i += BLOCK_SIZE) {
        FloatVector.fromArray(SPECIES, features, from + i)
            .fma(factor, FloatVector.fromArray(SPECIES, sum, to + i))
            .intoArray(sum, to + i);
      }
    }
  }

  /** Computes the gradients along queries, keys and values of the last call. */
  void backward(float[] outputGradient, int blocks) {
    int size = at(blocks, 0, 0);
    queryGradient = zeros(queryGradient, size);
    keyGradient = zeros(keyGradient, size);
    valueGradient = zeros(valueGradient, size);
    for (int block = 0; block < blocks; block++) {
      for (int head = 0; head < heads; head++) {
        for (int token = 0; token < tokens; token++) {
          backward(outputGradient, block, head, token);
        }
      }
    }
  }

  private static float[] zeros(float[] scratch, int size) {
    float[] zeros = Lanes.ensureCapacity(scratch, size);
    Arrays.fill(zeros, 0, size, 0);
    return zeros;
  }

  private void backward(float[] outputGradient, int block, int head, int token) {
    int from = at(block, token, head);
    int sharesAt = sharesAt(block, head, token);
    for (int other = 0; other < tokens; other++) {
      int to = at(block, other, head);
      addScaled(shares, sharesAt + other * BLOCK_SIZE, outputGradient, from, valueGradient, to);
    }
    for (int part = 0; part < BLOCK_SIZE; part += VECTOR_WIDTH) {
      scoreGradients(outputGradient, block, head, from + part, sharesAt + part, part);
    }
    for (int other = 0; other < tokens; other++) {
      int to = at(block, other, head);
      addScaled(scoreGradients, other * BLOCK_SIZE, key, to, queryGradient, from);
      addScaled(scoreGradients, other * BLOCK_SIZE, query, from, keyGradient, to);
    }
  }

  /** Through the softmax, for one token and a register of lanes. */
  private void scoreGradients(
      float[] outputGradient, int block, int head, int from, int sharesAt, int part) {
    FloatVector mean = FloatVector.zero(SPECIES);
    for (int other = 0; other < tokens; other++) {
      FloatVector along = product(outputGradient, from, value, at(block, other, head) + part);
      along.intoArray(scoreGradients, other * BLOCK_SIZE + part);
      mean = along.fma(FloatVector.fromArray(SPECIES, shares, sharesAt + other * BLOCK_SIZE), mean);
    }
    for (int other = 0; other < tokens; other++) {
      int at = other * BLOCK_SIZE + part;
      FloatVector.fromArray(SPECIES, scoreGradients, at)
          .sub(mean)
          .mul(FloatVector.fromArray(SPECIES, shares, sharesAt + other * BLOCK_SIZE))
          .mul(scale)
          .intoArray(scoreGradients, at);
    }
  }

  /** The gradients along the queries. */
  float[] queryGradient() {
    return queryGradient;
  }

  float[] keyGradient() {
    return keyGradient;
  }

  float[] valueGradient() {
    return valueGradient;
  }
}
