package io.kindred.learning.engine.jvm;

import static io.kindred.learning.engine.jvm.Lanes.BLOCK_SIZE;

import io.kindred.learning.model.Volume;

/** The mean of each channel: positions are added in order, then divided by their number. */
final class AveragePoolLayer implements JvmLayer {
  private final Volume input;
  private float[] out = {};
  private float[] back = {};

  AveragePoolLayer(Volume input) {
    this.input = input;
  }

  @Override
  public float[] forwardInference(float[] weights, float[] x, int samples) {
    int planes = Lanes.blocks(samples) * input.channels();
    out = Lanes.ensureCapacity(out, planes * BLOCK_SIZE);
    for (int plane = 0; plane < planes; plane++) {
      for (int lane = 0; lane < BLOCK_SIZE; lane++) {
        float sum = 0;
        for (int p = 0; p < input.area(); p++) {
          sum += x[(plane * input.area() + p) * BLOCK_SIZE + lane];
        }
        out[plane * BLOCK_SIZE + lane] = sum / input.area();
      }
    }
    return out;
  }

  @Override
  public float[] backward(float[] weights, float[] outputGradient, int samples, float[] gradient) {
    int planes = Lanes.blocks(samples) * input.channels();
    back = Lanes.ensureCapacity(back, planes * input.area() * BLOCK_SIZE);
    for (int plane = 0; plane < planes; plane++) {
      for (int p = 0; p < input.area(); p++) {
        for (int lane = 0; lane < BLOCK_SIZE; lane++) {
          back[(plane * input.area() + p) * BLOCK_SIZE + lane] =
              outputGradient[plane * BLOCK_SIZE + lane] / input.area();
        }
      }
    }
    return back;
  }
}
