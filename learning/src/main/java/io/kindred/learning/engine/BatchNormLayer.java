package io.kindred.learning.engine;

import static io.kindred.learning.engine.Lanes.COUNT;

import io.kindred.core.random.RandomStream;
import io.kindred.learning.model.LayerShape.BatchNorm;
import java.util.Arrays;

/**
 * Normalizes channels. Statistics are summed in doubles, a lane for each sample of a block, lanes
 * added in order; lanes without a sample do not count. The running variance is brought forward with
 * the unbiased variance of the batch, as PyTorch does.
 */
final class BatchNormLayer implements Layer {
  private final int offset;
  private final int channels;
  private final int area;
  private final double[] means;
  private final double[] deviations;
  private final double[] lanes = new double[COUNT];
  private float[] inputs = {};
  private float[] out = {};
  private float[] back = {};

  /** Scale, shift, running mean and running variance follow each other from the offset on. */
  BatchNormLayer(int offset, BatchNorm shape) {
    this.offset = offset;
    this.channels = shape.channels();
    this.area = shape.area();
    this.means = new double[channels];
    this.deviations = new double[channels];
  }

  @Override
  public float[] evaluate(float[] weights, float[] x, int samples) {
    for (int c = 0; c < channels; c++) {
      means[c] = weights[offset + 2 * channels + c];
      deviations[c] = Math.sqrt(weights[offset + 3 * channels + c] + BatchNorm.EPSILON);
    }
    return normalize(weights, x, samples);
  }

  @Override
  public float[] train(float[] weights, float[] x, int samples, RandomStream noise) {
    inputs = x;
    double count = (double) samples * area;
    for (int c = 0; c < channels; c++) {
      double mean = sum(x, c, samples) / count;
      double squares = squares(x, c, samples, (float) mean);
      means[c] = (float) mean;
      deviations[c] = Math.sqrt(squares / count + BatchNorm.EPSILON);
      // One value has no variance, and would draw the running one to zero.
      if (count > 1) {
        int runningMean = offset + 2 * channels + c;
        int runningVariance = offset + 3 * channels + c;
        weights[runningMean] = forward(weights[runningMean], mean);
        weights[runningVariance] = forward(weights[runningVariance], squares / (count - 1));
      }
    }
    return normalize(weights, x, samples);
  }

  private static float forward(float running, double newest) {
    return (float) ((1 - BatchNorm.MOMENTUM) * running + BatchNorm.MOMENTUM * newest);
  }

  private float[] normalize(float[] weights, float[] x, int samples) {
    int blocks = Lanes.blocks(samples);
    out = Lanes.atLeast(out, blocks * channels * area * COUNT);
    for (int plane = 0; plane < blocks * channels; plane++) {
      int c = plane % channels;
      float mean = (float) means[c];
      float scale = (float) (weights[offset + c] / deviations[c]);
      float shift = weights[offset + channels + c];
      for (int i = plane * area * COUNT; i < (plane + 1) * area * COUNT; i++) {
        out[i] = Math.fma(x[i] - mean, scale, shift);
      }
    }
    return out;
  }

  private double sum(float[] values, int channel, int samples) {
    Arrays.fill(lanes, 0);
    for (int block = 0; block < Lanes.blocks(samples); block++) {
      int filled = Lanes.filled(block, samples);
      int at = (block * channels + channel) * area * COUNT;
      for (int p = 0; p < area; p++) {
        for (int lane = 0; lane < filled; lane++) {
          lanes[lane] += values[at + p * COUNT + lane];
        }
      }
    }
    return addLanes();
  }

  private double squares(float[] values, int channel, int samples, float mean) {
    Arrays.fill(lanes, 0);
    for (int block = 0; block < Lanes.blocks(samples); block++) {
      int filled = Lanes.filled(block, samples);
      int at = (block * channels + channel) * area * COUNT;
      for (int p = 0; p < area; p++) {
        for (int lane = 0; lane < filled; lane++) {
          double apart = values[at + p * COUNT + lane] - mean;
          lanes[lane] += apart * apart;
        }
      }
    }
    return addLanes();
  }

  /** The sum of slope times normalized input. */
  private double product(float[] slope, int channel, int samples, float mean) {
    Arrays.fill(lanes, 0);
    for (int block = 0; block < Lanes.blocks(samples); block++) {
      int filled = Lanes.filled(block, samples);
      int at = (block * channels + channel) * area * COUNT;
      for (int p = 0; p < area; p++) {
        for (int lane = 0; lane < filled; lane++) {
          int i = at + p * COUNT + lane;
          lanes[lane] += (double) slope[i] * (inputs[i] - mean);
        }
      }
    }
    return addLanes() / deviations[channel];
  }

  private double addLanes() {
    double sum = 0;
    for (double lane : lanes) {
      sum += lane;
    }
    return sum;
  }

  @Override
  public float[] back(float[] weights, float[] slope, int samples, float[] gradient) {
    back = Lanes.atLeast(back, Lanes.blocks(samples) * channels * area * COUNT);
    for (int c = 0; c < channels; c++) {
      float mean = (float) means[c];
      double slopes = sum(slope, c, samples);
      double products = product(slope, c, samples, mean);
      gradient[offset + c] = (float) products;
      gradient[offset + channels + c] = (float) slopes;
      inputGradient(slope, c, samples, weights[offset + c], slopes, products);
    }
    return back;
  }

  /** Through the value itself, the mean and the deviation; zero in lanes without a sample. */
  private void inputGradient(
      float[] slope, int channel, int samples, float weight, double slopes, double products) {
    double count = (double) samples * area;
    float mean = (float) means[channel];
    float scale = (float) (weight / deviations[channel]);
    float level = (float) (slopes / count);
    float tilt = (float) (products / count / deviations[channel]);
    for (int block = 0; block < Lanes.blocks(samples); block++) {
      int filled = Lanes.filled(block, samples);
      int at = (block * channels + channel) * area * COUNT;
      for (int p = 0; p < area; p++) {
        for (int lane = 0; lane < COUNT; lane++) {
          int i = at + p * COUNT + lane;
          back[i] = lane < filled ? scale * (slope[i] - level - (inputs[i] - mean) * tilt) : 0;
        }
      }
    }
  }
}
