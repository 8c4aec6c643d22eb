package io.kindred.learning.engine;

import static io.kindred.learning.engine.Lanes.COUNT;

import io.kindred.learning.model.Volume;

/** The mean of each channel: positions are added in order, then divided by their number. */
final class AveragePoolLayer implements Layer {
  private final Volume input;
  private float[] out = {};
  private float[] back = {};

  AveragePoolLayer(Volume input) {
    this.input = input;
  }

  @Override
  public float[] evaluate(float[] weights, float[] x, int samples) {
    int planes = Lanes.blocks(samples) * input.channels();
    out = Lanes.atLeast(out, planes * COUNT);
    for (int plane = 0; plane < planes; plane++) {
      for (int lane = 0; lane < COUNT; lane++) {
        float sum = 0;
        for (int p = 0; p < input.area(); p++) {
          sum += x[(plane * input.area() + p) * COUNT + lane];
        }
        out[plane * COUNT + lane] = sum / input.area();
      }
    }
    return out;
  }

  @Override
  public float[] back(float[] weights, float[] slope, int samples, float[] gradient) {
    int planes = Lanes.blocks(samples) * input.channels();
    back = Lanes.atLeast(back, planes * input.area() * COUNT);
    for (int plane = 0; plane < planes; plane++) {
      for (int p = 0; p < input.area(); p++) {
        for (int lane = 0; lane < COUNT; lane++) {
          back[(plane * input.area() + p) * COUNT + lane] =
              slope[plane * COUNT + lane] / input.area();
        }
      }
    }
    return back;
  }
}
