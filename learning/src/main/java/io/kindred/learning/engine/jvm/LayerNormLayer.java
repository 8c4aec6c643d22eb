package io.kindred.learning.engine.jvm;

import static io.kindred.learning.engine.jvm.Lanes.BLOCK_SIZE;
import static io.kindred.learning.engine.jvm.Lanes.SPECIES;
import static io.kindred.learning.engine.jvm.Lanes.VECTOR_WIDTH;

import io.kindred.core.weights.VectorKernels;
import io.kindred.learning.model.LayerShape;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;

/**
 * Normalizes the features of each sample, with a scale and a shift for each feature. The gradient
 * of both is added, because the weights may be applied several times in a pass.
 */
final class LayerNormLayer {
  private final int offset;
  private final int features;
  private final float[] scaleSums;
  private final float[] shiftSums;
  private float[] normalized = {};
  private float[] inverseDeviations = {};
  private float[] out = {};
  private float[] back = {};

  LayerNormLayer(int offset, int features) {
    this.offset = offset;
    this.features = features;
    scaleSums = new float[features * BLOCK_SIZE];
    shiftSums = new float[features * BLOCK_SIZE];
  }

  /** The normalized features of all lanes; the input may be the output of the last call. */
  float[] forward(float[] weights, float[] x, int blocks) {
    int size = features * BLOCK_SIZE;
    out = Lanes.ensureCapacity(out, blocks * size);
    normalized = Lanes.ensureCapacity(normalized, blocks * size);
    inverseDeviations = Lanes.ensureCapacity(inverseDeviations, blocks * BLOCK_SIZE);
    for (int block = 0; block < blocks; block++) {
      for (int part = 0; part < BLOCK_SIZE; part += VECTOR_WIDTH) {
        normalize(weights, x, block * size + part, block * BLOCK_SIZE + part);
      }
    }
    return out;
  }

  private void normalize(float[] weights, float[] x, int from, int deviationAt) {
    FloatVector sum = FloatVector.zero(SPECIES);
    for (int i = 0; i < features; i++) {
      sum = sum.add(FloatVector.fromArray(SPECIES, x, from + i * BLOCK_SIZE));
    }
    FloatVector mean = sum.div(features);
    FloatVector squares = FloatVector.zero(SPECIES);
    for (int i = 0; i < features; i++) {
      FloatVector apart = FloatVector.fromArray(SPECIES, x, from + i * BLOCK_SIZE).sub(mean);
      squares = apart.fma(apart, squares);
    }
    FloatVector deviation = squares.div(features).add((float) LayerShape.Encoder.EPSILON).sqrt();
    FloatVector inverse = FloatVector.broadcast(SPECIES, 1).div(deviation);
    inverse.intoArray(inverseDeviations, deviationAt);
    for (int i = 0; i < features; i++) {
      int at = from + i * BLOCK_SIZE;
      FloatVector value = FloatVector.fromArray(SPECIES, x, at).sub(mean).mul(inverse);
      value.intoArray(normalized, at);
      value
          .fma(
              FloatVector.broadcast(SPECIES, weights[offset + i]),
              FloatVector.broadcast(SPECIES, weights[offset + features + i]))
          .intoArray(out, at);
    }
  }

  /** The gradient along the inputs of the last call; adds that of the weights. */
  float[] backward(float[] weights, float[] outputGradient, int blocks, float[] gradient) {
    int size = features * BLOCK_SIZE;
    back = Lanes.ensureCapacity(back, blocks * size);
    Arrays.fill(scaleSums, 0);
    Arrays.fill(shiftSums, 0);
    for (int block = 0; block < blocks; block++) {
      for (int part = 0; part < BLOCK_SIZE; part += VECTOR_WIDTH) {
        addWeightGradient(outputGradient, block * size + part, part);
        inputGradient(weights, outputGradient, block * size + part, block * BLOCK_SIZE + part);
      }
    }
    for (int i = 0; i < features; i++) {
      gradient[offset + i] += VectorKernels.sumLanes(scaleSums, i * BLOCK_SIZE);
      gradient[offset + features + i] += VectorKernels.sumLanes(shiftSums, i * BLOCK_SIZE);
    }
    return back;
  }

  private void addWeightGradient(float[] outputGradient, int from, int part) {
    for (int i = 0; i < features; i++) {
      int at = from + i * BLOCK_SIZE;
      int to = i * BLOCK_SIZE + part;
      FloatVector given = FloatVector.fromArray(SPECIES, outputGradient, at);
      given
          .fma(
              FloatVector.fromArray(SPECIES, normalized, at),
              FloatVector.fromArray(SPECIES, scaleSums, to))
          .intoArray(scaleSums, to);
      given.add(FloatVector.fromArray(SPECIES, shiftSums, to)).intoArray(shiftSums, to);
    }
  }

  /** Through the value itself, the mean and the deviation. */
  private void inputGradient(float[] weights, float[] outputGradient, int from, int deviationAt) {
    FloatVector sum = FloatVector.zero(SPECIES);
    FloatVector products = FloatVector.zero(SPECIES);
    for (int i = 0; i < features; i++) {
      int at = from + i * BLOCK_SIZE;
      FloatVector scaled =
          FloatVector.fromArray(SPECIES, outputGradient, at).mul(weights[offset + i]);
      sum = sum.add(scaled);
      products = scaled.fma(FloatVector.fromArray(SPECIES, normalized, at), products);
    }
    FloatVector mean = sum.div(features);
    FloatVector meanProduct = products.div(features);
    FloatVector inverse = FloatVector.fromArray(SPECIES, inverseDeviations, deviationAt);
    for (int i = 0; i < features; i++) {
      int at = from + i * BLOCK_SIZE;
      FloatVector scaled =
          FloatVector.fromArray(SPECIES, outputGradient, at).mul(weights[offset + i]);
      FloatVector value = FloatVector.fromArray(SPECIES, normalized, at);
      scaled.sub(mean).sub(value.mul(meanProduct)).mul(inverse).intoArray(back, at);
    }
  }
}
