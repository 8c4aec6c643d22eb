package io.kindred.learning.engine;

import io.kindred.core.weights.Flat;
import java.util.Arrays;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Dense layers on the Vector API, with the bits of {@link DenseReference}. Everything runs along
 * the inputs, which lie contiguously; four outputs or four samples share each load. Sums across
 * lanes only happen in the forward pass, in {@link Flat#LANES} logical lanes and by the fixed tree,
 * so the result does not depend on the width of the hardware.
 */
final class DenseKernels {
  /** Never wider than the logical lanes, so that one register holds lanes of one sum only. */
  static final VectorSpecies<Float> SPECIES =
      FloatVector.SPECIES_PREFERRED.length() <= Flat.LANES
          ? FloatVector.SPECIES_PREFERRED
          : FloatVector.SPECIES_512;

  private static final int WIDTH = SPECIES.length();

  /** Scratch for four sums of logical lanes; one per engine, so no allocation per call. */
  private final float[] lanes = new float[4 * Flat.LANES];

  void forward(
      float[] x, float[] weights, int at, float[] out, int samples, int inputs, int outputs) {
    int bias = at + outputs * inputs;
    for (int s = 0; s < samples; s++) {
      int o = 0;
      for (; o + 4 <= outputs; o += 4) {
        forwardFour(x, s * inputs, weights, at + o * inputs, inputs);
        for (int k = 0; k < 4; k++) {
          out[s * outputs + o + k] = weights[bias + o + k] + Flat.sumLanes(lanes, k * Flat.LANES);
        }
      }
      for (; o < outputs; o++) {
        out[s * outputs + o] =
            weights[bias + o] + Flat.dot(x, s * inputs, weights, at + o * inputs, inputs);
      }
    }
  }

  /** The lanes of four dot products of one sample with four neighbouring rows of weights. */
  private void forwardFour(float[] x, int xAt, float[] weights, int row, int inputs) {
    int full = inputs - inputs % Flat.LANES;
    for (int lane = 0; lane < Flat.LANES; lane += WIDTH) {
      FloatVector a = FloatVector.zero(SPECIES);
      FloatVector b = a;
      FloatVector c = a;
      FloatVector d = a;
      for (int i = lane; i < full; i += Flat.LANES) {
        FloatVector xs = FloatVector.fromArray(SPECIES, x, xAt + i);
        a = xs.fma(FloatVector.fromArray(SPECIES, weights, row + i), a);
        b = xs.fma(FloatVector.fromArray(SPECIES, weights, row + inputs + i), b);
        c = xs.fma(FloatVector.fromArray(SPECIES, weights, row + 2 * inputs + i), c);
        d = xs.fma(FloatVector.fromArray(SPECIES, weights, row + 3 * inputs + i), d);
      }
      a.intoArray(lanes, lane);
      b.intoArray(lanes, Flat.LANES + lane);
      c.intoArray(lanes, 2 * Flat.LANES + lane);
      d.intoArray(lanes, 3 * Flat.LANES + lane);
    }
    for (int i = full; i < inputs; i++) {
      for (int k = 0; k < 4; k++) {
        int lane = k * Flat.LANES + i - full;
        lanes[lane] = Math.fma(x[xAt + i], weights[row + k * inputs + i], lanes[lane]);
      }
    }
  }

  void weightGradient(
      float[] x, float[] delta, float[] gradient, int at, int samples, int inputs, int outputs) {
    for (int o = 0; o < outputs; o++) {
      float bias = 0;
      for (int s = 0; s < samples; s++) {
        bias += delta[s * outputs + o];
      }
      gradient[at + outputs * inputs + o] = bias;
    }
    int o = 0;
    for (; o + 4 <= outputs; o += 4) {
      weightGradientFour(x, delta, gradient, at, samples, inputs, outputs, o);
    }
    for (; o < outputs; o++) {
      int row = at + o * inputs;
      Arrays.fill(gradient, row, row + inputs, 0);
      for (int s = 0; s < samples; s++) {
        Flat.axpy(delta[s * outputs + o], x, s * inputs, gradient, row, inputs);
      }
    }
  }

  private static void weightGradientFour(
      float[] x,
      float[] delta,
      float[] gradient,
      int at,
      int samples,
      int inputs,
      int outputs,
      int o) {
    int row = at + o * inputs;
    int bound = SPECIES.loopBound(inputs);
    for (int i = 0; i < bound; i += WIDTH) {
      FloatVector a = FloatVector.zero(SPECIES);
      FloatVector b = a;
      FloatVector c = a;
      FloatVector d = a;
      for (int s = 0; s < samples; s++) {
        FloatVector xs = FloatVector.fromArray(SPECIES, x, s * inputs + i);
        int from = s * outputs + o;
        a = xs.fma(FloatVector.broadcast(SPECIES, delta[from]), a);
        b = xs.fma(FloatVector.broadcast(SPECIES, delta[from + 1]), b);
        c = xs.fma(FloatVector.broadcast(SPECIES, delta[from + 2]), c);
        d = xs.fma(FloatVector.broadcast(SPECIES, delta[from + 3]), d);
      }
      a.intoArray(gradient, row + i);
      b.intoArray(gradient, row + inputs + i);
      c.intoArray(gradient, row + 2 * inputs + i);
      d.intoArray(gradient, row + 3 * inputs + i);
    }
    for (int i = bound; i < inputs; i++) {
      for (int k = 0; k < 4; k++) {
        float sum = 0;
        for (int s = 0; s < samples; s++) {
          sum = Math.fma(x[s * inputs + i], delta[s * outputs + o + k], sum);
        }
        gradient[row + k * inputs + i] = sum;
      }
    }
  }

  void inputGradient(
      float[] weights, int at, float[] delta, float[] back, int samples, int inputs, int outputs) {
    for (int s = 0; s < samples; s++) {
      Arrays.fill(back, s * inputs, (s + 1) * inputs, 0);
      for (int o = 0; o < outputs; o++) {
        Flat.axpy(delta[s * outputs + o], weights, at + o * inputs, back, s * inputs, inputs);
      }
    }
  }
}
