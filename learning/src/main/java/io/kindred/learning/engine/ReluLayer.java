package io.kindred.learning.engine;

import static io.kindred.learning.engine.Lanes.COUNT;
import static io.kindred.learning.engine.Lanes.SPECIES;
import static io.kindred.learning.engine.Lanes.WIDTH;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/** max(0, x), in place. */
final class ReluLayer implements Layer {
  private final int features;
  private float[] out = {};

  ReluLayer(int features) {
    this.features = features;
  }

  @Override
  public float[] evaluate(float[] weights, float[] x, int samples) {
    int size = Lanes.blocks(samples) * features * COUNT;
    for (int i = 0; i < size; i += WIDTH) {
      FloatVector.fromArray(SPECIES, x, i).max(0).intoArray(x, i);
    }
    out = x;
    return x;
  }

  @Override
  public float[] back(float[] weights, float[] slope, int samples, float[] gradient) {
    int size = Lanes.blocks(samples) * features * COUNT;
    FloatVector zero = FloatVector.zero(SPECIES);
    for (int i = 0; i < size; i += WIDTH) {
      FloatVector.fromArray(SPECIES, slope, i)
          .blend(zero, FloatVector.fromArray(SPECIES, out, i).compare(VectorOperators.LE, zero))
          .intoArray(slope, i);
    }
    return slope;
  }
}
