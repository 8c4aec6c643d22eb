package io.kindred.learning.engine.jvm;

import static io.kindred.learning.engine.jvm.Lanes.BLOCK_SIZE;
import static io.kindred.learning.engine.jvm.Lanes.SPECIES;
import static io.kindred.learning.engine.jvm.Lanes.VECTOR_WIDTH;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/** min(6, max(0, x)), in place. */
final class Relu6Layer implements JvmLayer {
  private static final float MOST = 6;

  private final int features;
  private float[] out = {};

  Relu6Layer(int features) {
    this.features = features;
  }

  @Override
  public float[] forwardInference(float[] weights, float[] x, int samples) {
    int size = Lanes.blocks(samples) * features * BLOCK_SIZE;
    for (int i = 0; i < size; i += VECTOR_WIDTH) {
      FloatVector.fromArray(SPECIES, x, i).max(0).min(MOST).intoArray(x, i);
    }
    out = x;
    return x;
  }

  @Override
  public float[] backward(float[] weights, float[] outputGradient, int samples, float[] gradient) {
    int size = Lanes.blocks(samples) * features * BLOCK_SIZE;
    FloatVector zero = FloatVector.zero(SPECIES);
    for (int i = 0; i < size; i += VECTOR_WIDTH) {
      FloatVector value = FloatVector.fromArray(SPECIES, out, i);
      FloatVector.fromArray(SPECIES, outputGradient, i)
          .blend(
              zero,
              value.compare(VectorOperators.LE, zero).or(value.compare(VectorOperators.GE, MOST)))
          .intoArray(outputGradient, i);
    }
    return outputGradient;
  }
}
