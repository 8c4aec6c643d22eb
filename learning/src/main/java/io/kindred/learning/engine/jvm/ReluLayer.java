package io.kindred.learning.engine.jvm;

import static io.kindred.learning.engine.jvm.Lanes.BLOCK_SIZE;
import static io.kindred.learning.engine.jvm.Lanes.SPECIES;
import static io.kindred.learning.engine.jvm.Lanes.VECTOR_WIDTH;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/** max(0, x), in place. */
final class ReluLayer implements JvmLayer {
  private final int features;
  private float[] out = {};

  ReluLayer(int features) {
    this.features = features;
  }

  @Override
  public float[] forwardInference(float[] weights, float[] x, int samples) {
    int size = Lanes.blocks(samples) * features * BLOCK_SIZE;
    for (int i = 0; i < size; i += VECTOR_WIDTH) {
      FloatVector.fromArray(SPECIES, x, i).max(0).intoArray(x, i);
    }
    out = x;
    return x;
  }

  @Override
  public float[] backward(float[] weights, float[] outputGradient, int samples, float[] gradient) {
    int size = Lanes.blocks(samples) * features * BLOCK_SIZE;
    FloatVector zero = FloatVector.zero(SPECIES);
    for (int i = 0; i < size; i += VECTOR_WIDTH) {
      FloatVector.fromArray(SPECIES, outputGradient, i)
          .blend(zero, FloatVector.fromArray(SPECIES, out, i).compare(VectorOperators.LE, zero))
          .intoArray(outputGradient, i);
    }
    return outputGradient;
  }
}
